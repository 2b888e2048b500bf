-- One file holds a review: what is reviewed, who decided what, and every change since.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE item (
  number INTEGER PRIMARY KEY,
  record BLOB NOT NULL,             -- the item as JSON
  source INTEGER NOT NULL           -- a hash of its source
);
CREATE INDEX item_source ON item (source);

CREATE TABLE entry (
  number INTEGER PRIMARY KEY,       -- from 0, without gaps: the place in the arrays of the index
  key TEXT NOT NULL UNIQUE,
  item INTEGER NOT NULL,
  variant INTEGER,
  part TEXT NOT NULL,
  phenomenon TEXT NOT NULL,
  confidence REAL,
  document TEXT,
  digest TEXT NOT NULL,
  forms TEXT NOT NULL,
  pair TEXT,
  place INTEGER NOT NULL,           -- its place in the file
  gone INTEGER NOT NULL DEFAULT 0,  -- no longer in the file
  authored INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX entry_item ON entry (item);

CREATE TABLE annotator (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO annotator VALUES (0, '');  -- the adjudicated decision

CREATE TABLE decision (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  entry INTEGER NOT NULL,
  annotator INTEGER NOT NULL,
  made_by INTEGER NOT NULL,         -- differs from annotator where it is adjudicated
  status INTEGER NOT NULL,
  text TEXT,
  reason TEXT NOT NULL,
  note TEXT NOT NULL,
  seconds REAL,
  at TEXT NOT NULL,
  digest TEXT NOT NULL,             -- of the entry as it was seen
  undone INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX decision_entry ON decision (entry, annotator);
CREATE INDEX decision_made_by ON decision (made_by, undone, number);

CREATE TABLE current (
  annotator INTEGER NOT NULL,
  entry INTEGER NOT NULL,
  decision INTEGER NOT NULL,
  PRIMARY KEY (annotator, entry)
) WITHOUT ROWID;

CREATE TABLE revision (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  item INTEGER NOT NULL,
  annotator INTEGER NOT NULL,
  at TEXT NOT NULL,
  record BLOB NOT NULL
);

CREATE VIRTUAL TABLE words USING fts5 (text, content = '', tokenize = 'unicode61 remove_diacritics 2');
