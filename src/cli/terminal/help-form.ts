/** Makes help texts show every default, including those that only a description gives because the library fills them in. */
import { type Command, Help, type HelpConfiguration } from 'commander';

const plain = new Help();

export const HELP_FORM: HelpConfiguration = {
  subcommandTerm: (command) => `${command.name()} ${command.usage()}`,
  optionDescription(option) {
    const { defaultValue, defaultValueDescription: words } = option;
    if (defaultValue !== undefined || words === undefined) return plain.optionDescription(option);
    return plain.optionDescription(Object.assign(Object.create(option) as typeof option, { defaultValue: null }));
  },
};

/** Applies this form to a command and its subcommands. */
export function inHelpForm(command: Command): Command {
  command.configureHelp(HELP_FORM);
  for (const inner of command.commands) inHelpForm(inner);
  return command;
}
