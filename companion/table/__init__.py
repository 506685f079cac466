"""The refereed table: the record, the session and what the senses say of it."""
