// Scores of the systems on one item. Filled where score files are loaded.
export const scores = () => null;
