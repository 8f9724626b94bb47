/**
 * Codes of problems: what is wrong with one field or parameter, for programs; `message` tells people (contract §7.2).
 * Clients go by them, so a code keeps its meaning. docs/errors.md shows this table.
 */
export const PROBLEM_CODES = {
  required: 'It needs a value and has none.',
  unknown_field: 'There is no such field or parameter here, or none that you may use.',
  read_only: 'The workspace sets it; leave it out.',
  create_only: 'It can only be set when the record is created.',
  wrong_type: 'The value is not of its type, or not in its form.',
  out_of_range: 'The value is too small or too large, or there are too few or too many of them.',
  not_an_option: 'The value is none of those it can have.',
  no_such_record: 'It names a record that does not exist, or that you may not read.',
  cancelled_record: 'It names a cancelled document.',
  draft_record: 'It names a draft where a submitted document is needed.',
  not_unique: 'Another record, row or request has this value already.',
  rule: 'A rule of the workspace does not hold; the message says which.',
  expression: 'A value cannot be computed from this data, such as a division by zero.',
  wrong_state: 'The document, or the value, is not in the state that this needs.',
  linked: 'Other documents link to the record by this field.',
  role_needed: 'Setting it needs a role that you do not have; leave it out.',
  not_permitted: 'Your user permissions do not let you have this value.',
} as const

export type ProblemCode = keyof typeof PROBLEM_CODES
