import { SHIPPED_DOCTYPES } from '../../cli/package.ts'
import { loadVocabulary } from '../../engine/definition/load/vocabulary.ts'
import { hooks } from '../../hooks/index.ts'

/** What the shipped DocTypes may name beside one another. */
export const VOCABULARY = loadVocabulary([SHIPPED_DOCTYPES], hooks)
