"""Storage: files, SQLite databases and the folders of the user."""
