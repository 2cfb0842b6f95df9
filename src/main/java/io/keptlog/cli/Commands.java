// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli;

import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands of the jar. Without one of their names as its first argument the jar is the server, and all arguments are Spring's. */
@Command(
        name = "keptlog",
        description =
                "A message log over HTTP whose every acknowledgement says what it has survived. Without a command: the server.",
        mixinStandardHelpOptions = true,
        subcommands = {
            io.keptlog.cli.client.message.ProduceCommand.class,
            io.keptlog.cli.client.message.TailCommand.class,
            io.keptlog.cli.client.message.ConsumeCommand.class,
            io.keptlog.cli.client.StreamCommand.class,
            io.keptlog.cli.client.TopicCommand.class,
            io.keptlog.cli.client.ExplainCommand.class,
            AutoComplete.GenerateCompletion.class,
            HealthCommand.class,
            VerifyCommand.class,
            DumpCommand.class,
            RepairCommand.class,
            io.keptlog.cli.drill.DrillCommand.class,
            io.keptlog.cli.bench.BenchCommand.class,
            ResetPasswordCommand.class,
            DevClusterCommand.class,
            DevProcessCommands.ZooKeeper.class,
            DevProcessCommands.Bookie.class,
            DevProcessCommands.AutoRecovery.class
        })
public final class Commands {
    private static final Set<String> COMMON_OPTIONS = Set.of("--help", "-h", "--version", "-V");

    private Commands() {}

    /** Runs the command that the arguments name; empty when they are a server's: none, or only settings. */
    public static OptionalInt run(String... arguments) {
        if (Stream.of(arguments).allMatch(Commands::isSetting)) {
            return OptionalInt.empty();
        }
        CommandLog.toStandardError();
        if (arguments[0].startsWith("-") && !COMMON_OPTIONS.contains(arguments[0])) {
            String unknown = Stream.of(arguments)
                    .filter(argument -> !isSetting(argument))
                    .findFirst()
                    .orElseThrow();
            System.err.println("'" + unknown + "' means nothing to the server: its settings are called as in"
                    + " --server.port=3000 (docs/operating.md has them). 'keptlog --help' shows the commands.");
            return OptionalInt.of(CommandLine.ExitCode.USAGE);
        }
        // What is no command is answered with those that are spelled alike.
        return OptionalInt.of(commands().execute(arguments));
    }

    private static CommandLine commands() {
        var commands = new CommandLine(new Commands());
        String version = Commands.class.getPackage().getImplementationVersion();
        String line = "keptlog " + (version == null ? "unpackaged" : version);
        commands.getCommandSpec().version(line);
        commands.getSubcommands().values().forEach(command -> command.getCommandSpec()
                .version(line));
        return commands;
    }

    /** As in {@code --server.port=3001}, and two of Spring's that have no dot. */
    private static boolean isSetting(String argument) {
        return argument.equals("--debug")
                || argument.equals("--trace")
                || (argument.startsWith("--") && argument.split("=", 2)[0].contains("."));
    }
}
