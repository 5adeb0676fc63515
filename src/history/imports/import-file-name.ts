// Imports are kept in files of their own, which this tells from those that the service wrote as it ran.

export const IMPORT_FILE = /\/import-[0-9a-f]{12}\.parquet$/;
