/** What an editor shows of the built package: TypeScript's language service over one file that imports it. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));
const file = `${root}editor-probe.ts`;

const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  types: ['node'],
};

let text = '';
let version = 0;
const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getCurrentDirectory: () => root,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
  getScriptFileNames: () => [file],
  getScriptVersion: (name) => (name === file ? String(version) : ''),
  getScriptSnapshot: (name) => {
    const content = name === file ? text : ts.sys.readFile(name);
    return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
  },
});

/** Opens code in the editor; the cursor stands at every `|`, which are taken out. */
function open(code: string): number[] {
  const pieces = code.split('|');
  text = pieces.join('');
  version++;
  let at = 0;
  return pieces.slice(0, -1).map((piece) => {
    at += piece.length;
    return at;
  });
}

/** What hovering shows at every cursor: the declaration, then its documentation. */
export const hovers = (code: string): string[] =>
  open(code).map((at) => {
    const info = service.getQuickInfoAtPosition(file, at);
    return `${ts.displayPartsToString(info?.displayParts)}\n${ts.displayPartsToString(info?.documentation)}`;
  });

/** The names of properties offered at the cursor. */
export function completions(code: string): string[] {
  const [at] = open(code);
  const entries = service.getCompletionsAtPosition(file, at, undefined)?.entries ?? [];
  return entries.flatMap(({ name, kind }) => (kind === ts.ScriptElementKind.memberVariableElement ? [name] : []));
}

/** The errors, as an editor underlines them. */
export function errors(code: string): string[] {
  open(code);
  return service
    .getSemanticDiagnostics(file)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

/** The members without a doc comment of the types exported as `…Options`. */
export function membersWithoutComment(entry: string): string[] {
  open(`import * as entry from '${entry}'; entry;`);
  const program = service.getProgram()!;
  const checker = program.getTypeChecker();
  const [declaration] = program.getSourceFile(file)!.statements as readonly ts.Statement[] as [ts.ImportDeclaration];
  const types = checker
    .getExportsOfModule(checker.getSymbolAtLocation(declaration.moduleSpecifier)!)
    .filter(({ name }) => /^[A-Z]\w*Options$/.test(name));
  return types.flatMap((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const type = checker.getDeclaredTypeOfSymbol(target);
    const members = (type.isUnion() ? type.types : [type]).flatMap((each) => checker.getPropertiesOfType(each));
    return members
      .filter((member) => member.getDocumentationComment(checker).length === 0)
      .map((member) => `${symbol.name}.${member.name}`);
  });
}
