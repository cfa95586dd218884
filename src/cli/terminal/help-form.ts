/** How help texts show options: with their defaults, also those that are told in words because the library fills them in. */
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

/** A command and those inside it, with help texts of this form. */
export function inHelpForm(command: Command): Command {
  command.configureHelp(HELP_FORM);
  for (const inner of command.commands) inHelpForm(inner);
  return command;
}
