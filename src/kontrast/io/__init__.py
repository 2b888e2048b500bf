"""Reading and writing: files, JSON, and what every room needs of both."""
