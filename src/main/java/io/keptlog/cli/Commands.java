// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli;

import java.util.OptionalInt;
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
    private Commands() {}

    /** Runs the command that the arguments name; empty when they name none. */
    public static OptionalInt run(String... arguments) {
        CommandLine commands = new CommandLine(new Commands());
        boolean named = arguments.length > 0
                && (commands.getSubcommands().containsKey(arguments[0]) || arguments[0].equals("--help"));
        if (named) {
            CommandLog.toStandardError();
        }
        return named ? OptionalInt.of(commands.execute(arguments)) : OptionalInt.empty();
    }
}
