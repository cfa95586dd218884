// Mutants of a module: one small change of its code each, which a test should notice.
import ts from 'typescript';

const { SyntaxKind } = ts;

const OPERATORS = new Map([
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['===', '!=='],
  ['!==', '==='],
  ['&&', '||'],
  ['||', '&&'],
  ['+', '-'],
  ['-', '+'],
  ['*', '/'],
  ['/', '*'],
]);

/** Calls that only say something: texts of errors and messages. */
const SAYS = /^(inputError|\w*Error|damaged|describe\w*|say|console\.\w+|report\w*|warn\w*)$/;
/** Constants of waiting times: a test would have to wait as long. */
const WAITS = /\b(milli)?seconds?\b/i;

/**
 * All mutants of a module: where (offsets and line), the text that takes the place, and a name for the change. Types, texts of
 * messages and imports are left out.
 */
export function mutantsOf(text, name = 'module.ts') {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const add = (node, replacement, what, start = node.getStart(file), end = node.getEnd()) => {
    const line = file.getLineAndCharacterOfPosition(start).line + 1;
    const block = blockOf(node);
    const mark = block && `${name}:${block.getStart(file)}`;
    found.push({ start, end, replacement, line, what, mark, block });
  };
  const brief = (node) => {
    const words = node.getText(file).replace(/\s+/g, ' ');
    return words.length > 60 ? `${words.slice(0, 57)}...` : words;
  };

  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isThrowStatement(node) || says(node)) return;
    if (isWait(node)) return;
    if (ts.isBinaryExpression(node)) binary(node);
    if (ts.isNumericLiteral(node) && node.parent.name !== node) number(node);
    if (ts.isExpressionStatement(node) && isCall(node.expression)) add(node, ';', `dropped: ${brief(node)}`);
    condition(node);
    earlyReturn(node);
    ts.forEachChild(node, visit);
  };

  function binary({ operatorToken, left, right }) {
    const operator = operatorToken.getText(file);
    const other = OPERATORS.get(operator);
    if (!other || (operator === '+' && [left, right].some(isText))) return;
    add(operatorToken, other, `${operator} -> ${other}`);
  }

  function number(node) {
    const value = Number(node.text);
    if (!Number.isFinite(value)) return;
    const other = value > 1 ? 2 * value : value + 1;
    add(node, String(other), `${node.getText(file)} -> ${other}`);
  }

  function condition(node) {
    const test = ts.isConditionalExpression(node)
      ? node.condition
      : ts.isIfStatement(node) || ts.isWhileStatement(node)
        ? node.expression
        : undefined;
    if (!test || [SyntaxKind.TrueKeyword, SyntaxKind.FalseKeyword].includes(test.kind)) return;
    if (!ts.isWhileStatement(node)) add(test, '(true)', `${brief(test)} -> true`); // it would never end
    add(test, '(false)', `${brief(test)} -> false`);
  }

  function earlyReturn(node) {
    const { body } = node;
    if (!ts.isFunctionLike(node) || !body || !ts.isBlock(body) || body.statements.length === 0) return;
    if (ts.isConstructorDeclaration(node) || returnsValue(body)) return;
    const at = body.statements[0].getStart(file);
    add(body, 'return; ', `${node.name?.getText(file) ?? 'function'} returns at once`, at, at);
  }

  visit(file);
  return found.sort((a, b) => a.start - b.start || a.end - b.end || (a.what < b.what ? -1 : 1));

  function says(node) {
    return (ts.isCallExpression(node) || ts.isNewExpression(node)) && SAYS.test(node.expression.getText(file));
  }

  function isWait(node) {
    if (!ts.isVariableStatement(node) || node.parent !== file) return false;
    const comments = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
    return comments.some(({ pos, end }) => WAITS.test(text.slice(pos, end)));
  }
}

const isCall = (node) => ts.isCallExpression(node) || (ts.isAwaitExpression(node) && isCall(node.expression));

const isText = (node) =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && (isText(node.left) || isText(node.right)));

/** Whether a function returns a value: dropping the return would be noticed anyway. */
function returnsValue(body) {
  let does = false;
  const visit = (node) => {
    if (ts.isFunctionLike(node)) return;
    if ((ts.isReturnStatement(node) && node.expression) || ts.isYieldExpression(node)) does = true;
    ts.forEachChild(node, visit);
  };
  visit(body);
  return does;
}

export const mutate = (text, { start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end);

/** Name of the global function that marked code calls. */
export const MARK = 'orthodictMark';

/** The innermost block, or body of an arrow function, that a node is in; undefined if it runs when the module loads. */
function blockOf(node) {
  for (let at = node; at.parent; at = at.parent) {
    if (ts.isBlock(at)) return at;
    if (ts.isArrowFunction(at.parent) || ts.isFunctionLike(at.parent)) return at.parent.body;
  }
  return undefined;
}

/** The text of a module in which every block that holds one of its mutants calls MARK with the mutant's `mark` first. */
export function marked(text, mutants) {
  const blocks = new Map(mutants.filter(({ block }) => block).map(({ mark, block }) => [mark, block]));
  const inserted = [...blocks].flatMap(([mark, block]) => {
    const call = `globalThis.${MARK}?.(${JSON.stringify(mark)})`;
    if (ts.isBlock(block)) return [[block.getStart() + 1, `${call};`]];
    return [
      [block.getStart(), `(${call}, `],
      [block.getEnd(), ')'],
    ];
  });
  inserted.sort(([a], [b]) => b - a);
  return inserted.reduce((changed, [at, words]) => changed.slice(0, at) + words + changed.slice(at), text);
}
