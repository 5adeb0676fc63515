// Imports have files of their own, named differently from those that the service writes as it runs.

export const IMPORT_FILE = /\/import-[0-9a-f]{12}\.parquet$/;
