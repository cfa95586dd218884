/** What the package exports, as an editor sees it: names, doc comments and examples of the declarations in dist/. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export interface Exported {
  /** As imported: `learn`, `option.count`. */
  readonly name: string;
  /** Whether it is a function or a class. */
  readonly callable: boolean;
  /** Whether an editor has something to show on hovering: at every signature, if it has several. */
  readonly documented: boolean;
  /** The code of its `@example` blocks, without fences. */
  readonly examples: readonly string[];
}

const ENTRIES = {
  orthodict: 'index.d.ts',
  'orthodict/node': 'node/index.d.ts',
  'orthodict/extend': 'extend.d.ts',
} as const;
export type Entry = keyof typeof ENTRIES;
export const entries = Object.keys(ENTRIES) as Entry[];

const pathOf = (entry: Entry): string => fileURLToPath(new URL(`../../dist/${ENTRIES[entry]}`, import.meta.url));

/** The exports of every entry. The standard library is left out: only symbols and comments are looked at. */
export function exportsByEntry(): Record<Entry, Exported[]> {
  const options = { module: ts.ModuleKind.NodeNext, noLib: true, types: [] };
  const program = ts.createProgram(entries.map(pathOf), options);
  const checker = program.getTypeChecker();
  const read = (entry: Entry) =>
    exportsOf(checker, checker.getSymbolAtLocation(program.getSourceFile(pathOf(entry))!)!, '');
  return Object.fromEntries(entries.map((entry) => [entry, read(entry)])) as Record<Entry, Exported[]>;
}

function exportsOf(checker: ts.TypeChecker, module: ts.Symbol, prefix: string): Exported[] {
  return checker.getExportsOfModule(module).flatMap((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const name = `${prefix}${symbol.name}`;
    if (target.flags & ts.SymbolFlags.ValueModule) return exportsOf(checker, target, `${name}.`);
    const tags = target.getJsDocTags(checker).filter((tag) => tag.name === 'example');
    const examples = tags.map((tag) => codeOf(ts.displayPartsToString(tag.text)));
    const signatures = signaturesOf(checker, target);
    const callable = signatures.length > 0 || (target.flags & ts.SymbolFlags.Class) !== 0;
    const documented = [target, ...(target.flags & ts.SymbolFlags.Function ? signatures : [])].every(
      (each) => each.getDocumentationComment(checker).length > 0,
    );
    return [{ name, callable, documented, examples }];
  });
}

function signaturesOf(checker: ts.TypeChecker, { valueDeclaration }: ts.Symbol): readonly ts.Signature[] {
  return valueDeclaration ? checker.getTypeAtLocation(valueDeclaration).getCallSignatures() : [];
}

const codeOf = (text: string): string => /^```js\n(.*?)^```$/ms.exec(text)?.[1] ?? '';
