import type { Translation } from '../translation.ts'

/** Words about backups in Spanish. */
export const BACKUPS_ES: Translation = {
  backups: 'Copias de seguridad',
  backupsAbout:
    'Todo el espacio de trabajo en un archivo: registros, archivos, definiciones. Están junto a él: llévelas a casa, un disco roto se lleva ambos.',
  backUpNow: 'Copiar ahora',
  takeEverything: 'Llevarse todo',
  everything: 'Todo',
  everythingAbout:
    'Todo son registros como JSON y tablas, archivos y definiciones en un zip que otros programas leen; no es una copia de seguridad.',
  beingMade: {
    backup: 'Se está haciendo una copia. Todos siguen trabajando.',
    everything: 'Se está reuniendo todo. Todos siguen trabajando.',
  },
  bringBackup: 'Traer una copia',
  bringingBackup: 'Se envía y se lee entera',
  noBackups: 'Aún no hay ninguna copia.',
  whatIsInIt: 'Qué contiene',
  download: 'Descargar',
  downloadOf: (id: string) => `Descargar ${id}`,
  backupGoes: 'Desaparece para siempre.',
  typeName: (id: string) => `Escriba ${id}`,
  readingBackup: 'Se vuelve a leer entera …',
  backupIsWhole: 'Se ha vuelto a leer entera: nada falta ni ha cambiado.',
  backupOf: 'Espacio del',
  backupRows: 'Registros',
  rowsOfTables: (rows: string, tables: string) => `${rows} filas de ${tables} tablas`,
  ownDefinitions: 'Definiciones propias',
  backupBy: 'Hecha por',
  howToRestore: 'Donde no corre ningún servidor, también la restaura esta orden:',
  restore: 'Restaurar',
  restoreBackup: '¿Restaurar esta copia?',
  restoreLoses: (at: string) =>
    `Todo lo creado o cambiado después del ${at} desaparece del espacio de trabajo: registros, archivos, definiciones, personas y sus contraseñas.`,
  restoreStops:
    'Nadie puede trabajar mientras tanto. Antes se hace una copia de lo que hay ahora, para poder deshacerlo. Después quizá deba volver a iniciar sesión.',
  restorePhases: {
    checking: 'La copia se vuelve a leer entera. Aún todos siguen trabajando.',
    stopping: 'El servidor responde lo que está en curso; después nadie puede trabajar.',
    'backing up': 'Se hace una copia de lo que hay ahora.',
    restoring: 'La copia ocupa el lugar de lo que había.',
    opening: 'El espacio de trabajo se abre de nuevo.',
  },
  wasRestored: (id: string, at: string, undo: string) =>
    `${id} se ha restaurado (${at}). Lo que había antes está en ${undo}.`,
}
