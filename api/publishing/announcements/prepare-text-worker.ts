import { answerQuestions } from '../../platform/threads/answer-questions.ts'
import { prepareText } from './prepare-text.ts'

answerQuestions(prepareText)
