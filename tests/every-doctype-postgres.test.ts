import { everyDoctype } from './helpers/every-doctype.ts'

everyDoctype('postgres')
