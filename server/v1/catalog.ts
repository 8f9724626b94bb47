import type { Router } from 'express'
import { assertScope } from '../../engine/access/actor.ts'
