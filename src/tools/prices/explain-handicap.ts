// explain_handicap: what an Asian handicap line means. Pure: the same line always gets the same answer.

import { Type } from '@sinclair/typebox';
import { ConvertHandicapResponse, HandicapLineParameter } from '../../contract/convert.ts';
import { explainHandicap } from '../../domain/handicap.ts';
import { defineTool, type Tool } from '../kit/tool.ts';

export function explainHandicapTool(): Tool {
  return defineTool({
    name: 'explain_handicap',
    title: 'Explain a handicap',
    description:
      'Explains how an Asian handicap line settles: its components, a plain sentence and the condition of each outcome over a = (home goals - away goals) + line. Needs no fixture. `line` is the home side\'s handicap, a multiple of 0.25. Use compare_lines for the prices of a handicap. Example: {"line": -0.75}.',
    input: Type.Object({ line: HandicapLineParameter }),
    output: ConvertHandicapResponse,
    run: ({ line }) => explainHandicap(line),
  });
}
