import type { Translation } from '../translation.ts'

/** Words about backups in French. */
export const BACKUPS_FR: Translation = {
  backups: 'Sauvegardes',
  backupsAbout:
    'Tout l’espace de travail dans un fichier : enregistrements, fichiers, définitions. Elles sont à côté de lui : emportez-les, un disque cassé prend les deux.',
  backUpNow: 'Sauvegarder maintenant',
  takeEverything: 'Tout emporter',
  everything: 'Tout',
  everythingAbout:
    'Tout, ce sont les enregistrements en JSON et en tables, fichiers et définitions dans un zip que d’autres programmes lisent ; ce n’est pas une sauvegarde.',
  beingMade: {
    backup: 'Une sauvegarde est en cours. Chacun continue à travailler.',
    everything: 'Tout est rassemblé. Chacun continue à travailler.',
  },
  bringBackup: 'Apporter une sauvegarde',
  bringingBackup: 'Elle est envoyée et lue en entier',
  noBackups: 'Il n’y a pas encore de sauvegarde.',
  whatIsInIt: 'Ce qu’elle contient',
  download: 'Télécharger',
  downloadOf: (id: string) => `Télécharger ${id}`,
  backupGoes: 'Elle disparaît pour de bon.',
  typeName: (id: string) => `Saisissez ${id}`,
  readingBackup: 'Elle est relue en entier …',
  backupIsWhole: 'Elle a été relue en entier : rien ne manque, rien n’a changé.',
  backupOf: 'Espace du',
  backupRows: 'Enregistrements',
  rowsOfTables: (rows: string, tables: string) => `${rows} lignes de ${tables} tables`,
  ownDefinitions: 'Vos définitions',
  backupBy: 'Faite par',
  howToRestore: 'Là où aucun serveur ne tourne, cette commande la restaure aussi :',
  restore: 'Restaurer',
  restoreBackup: 'Restaurer cette sauvegarde ?',
  restoreLoses: (at: string) =>
    `Tout ce qui a été créé ou modifié après le ${at} disparaît de l’espace de travail : enregistrements, fichiers, définitions, personnes et leurs mots de passe.`,
  restoreStops:
    'Personne ne peut travailler pendant ce temps. Ce qui est là est d’abord sauvegardé, pour pouvoir revenir en arrière. Il faudra peut-être vous reconnecter ensuite.',
  restorePhases: {
    checking: 'La sauvegarde est relue en entier. Chacun continue encore à travailler.',
    stopping: 'Le serveur répond à ce qui est en cours ; ensuite personne ne peut travailler.',
    'backing up': 'Ce qui est là maintenant est sauvegardé.',
    restoring: 'La sauvegarde prend la place de ce qui était là.',
    opening: 'L’espace de travail est rouvert.',
  },
  wasRestored: (id: string, at: string, undo: string) =>
    `${id} a été restaurée (${at}). Ce qui était là avant est dans ${undo}.`,
}
