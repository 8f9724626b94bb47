/** Words about backups in English. */
export const BACKUPS = {
  backups: 'Backups',
  backupsAbout:
    'The whole workspace in one file: records, files, definitions. They lie beside the workspace: bring them home, a disk that breaks takes both.',
  backUpNow: 'Back up now',
  takeEverything: 'Take everything with you',
  everything: 'Everything',
  everythingAbout:
    'Everything is records as JSON and tables, files and definitions in one zip, which other programs read; it is no backup.',
  beingMade: {
    backup: 'A backup is being made. People go on working.',
    everything: 'Everything is being taken. People go on working.',
  },
  bringBackup: 'Bring a backup',
  bringingBackup: 'It is being sent and read whole',
  noBackups: 'There is no backup yet.',
  whatIsInIt: 'What is in it',
  download: 'Download',
  downloadOf: (id: string) => `Download ${id}`,
  backupGoes: 'It goes for good.',
  typeName: (id: string) => `Type ${id}`,
  readingBackup: 'It is read whole again …',
  backupIsWhole: 'It was read whole again: nothing of it is missing or changed.',
  backupOf: 'Workspace of',
  backupRows: 'Records',
  rowsOfTables: (rows: string, tables: string) => `${rows} rows of ${tables} tables`,
  ownDefinitions: 'Definitions of your own',
  backupBy: 'Made by',
  howToRestore: 'Where no server runs, this command restores it as well:',
  restore: 'Restore',
  restoreBackup: 'Restore this backup?',
  restoreLoses: (at: string) =>
    `Everything that was made or changed after ${at} is gone from the workspace: records, files, definitions, people and their passwords.`,
  restoreStops:
    'Nobody can work while it is restored. A backup of what is there now is made first, so that this can be undone. Afterwards you may have to sign in again.',
  restorePhases: {
    checking: 'The backup is read whole again. People still go on working.',
    stopping: 'The server answers what is in flight, then nobody can work.',
    'backing up': 'A backup is made of what is there now.',
    restoring: 'The backup takes the place of what was there.',
    opening: 'The workspace is opened again.',
  },
  wasRestored: (id: string, at: string, undo: string) =>
    `${id} was restored (${at}). What was there before is in ${undo}.`,
}
