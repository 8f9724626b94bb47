import type { Translation } from '../translation.ts'

/** Words about backups in German. */
export const BACKUPS_DE: Translation = {
  backups: 'Sicherungen',
  backupsAbout:
    'Der ganze Arbeitsbereich in einer Datei: Datensätze, Dateien, Definitionen. Sie liegen neben ihm: Holen Sie sie ab, eine Platte nimmt beide mit.',
  backUpNow: 'Jetzt sichern',
  takeEverything: 'Alles mitnehmen',
  everything: 'Alles',
  everythingAbout:
    'Alles sind Datensätze als JSON und Tabellen, Dateien und Definitionen in einem Zip, das andere Programme lesen; es ist keine Sicherung.',
  beingMade: {
    backup: 'Eine Sicherung entsteht. Alle arbeiten weiter.',
    everything: 'Alles wird zusammengestellt. Alle arbeiten weiter.',
  },
  bringBackup: 'Sicherung bringen',
  bringingBackup: 'Sie wird gesendet und ganz gelesen',
  noBackups: 'Es gibt noch keine Sicherung.',
  whatIsInIt: 'Was darin ist',
  download: 'Herunterladen',
  downloadOf: (id: string) => `${id} herunterladen`,
  backupGoes: 'Sie geht endgültig.',
  typeName: (id: string) => `${id} eingeben`,
  readingBackup: 'Sie wird ganz gelesen …',
  backupIsWhole: 'Sie wurde ganz gelesen: Nichts fehlt, nichts ist verändert.',
  backupOf: 'Arbeitsbereich von',
  backupRows: 'Datensätze',
  rowsOfTables: (rows: string, tables: string) => `${rows} Zeilen in ${tables} Tabellen`,
  ownDefinitions: 'Eigene Definitionen',
  backupBy: 'Gemacht von',
  howToRestore: 'Wo kein Server läuft, stellt auch dieser Befehl sie wieder her:',
  restore: 'Wiederherstellen',
  restoreBackup: 'Diese Sicherung wiederherstellen?',
  restoreLoses: (at: string) =>
    `Alles, was nach ${at} entstand oder geändert wurde, ist dann nicht mehr im Arbeitsbereich: Datensätze, Dateien, Definitionen, Personen und ihre Passwörter.`,
  restoreStops:
    'Solange kann niemand arbeiten. Zuerst wird gesichert, was jetzt da ist, damit es sich rückgängig machen lässt. Danach müssen Sie sich vielleicht neu anmelden.',
  restorePhases: {
    checking: 'Die Sicherung wird ganz gelesen. Noch arbeiten alle weiter.',
    stopping: 'Der Server beantwortet, was unterwegs ist; dann kann niemand arbeiten.',
    'backing up': 'Was jetzt da ist, wird gesichert.',
    restoring: 'Die Sicherung tritt an die Stelle dessen, was da war.',
    opening: 'Der Arbeitsbereich wird wieder geöffnet.',
  },
  wasRestored: (id: string, at: string, undo: string) =>
    `${id} wurde wiederhergestellt (${at}). Was vorher da war, ist in ${undo}.`,
}
