/** The command was given wrongly: one line on stderr, exit code 2 (contract §2). */
export class UsageError extends Error {}

/** The command could not do what was asked: one line on stderr, exit code 1. */
export class Failure extends Error {}
