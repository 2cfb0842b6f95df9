// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.client;

import java.io.IOException;
import java.net.ConnectException;
import java.security.cert.CertPathBuilderException;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLException;
import picocli.CommandLine.Mixin;

/** What commands that ask a server have in common: who asks, and how a failure is told. */
public abstract class ServerCommand implements Callable<Integer> {
    public static final int DONE = 0;
    public static final int REFUSED = 1;
    public static final int NO_ANSWER = 2;
    public static final String EXIT_CODES =
            "Exit code: 0 done, 1 the server refused it or it could not be finished, 2 no server answers, or it was"
                    + " called wrongly.";

    @Mixin
    private final ServerOptions server = new ServerOptions();

    /** What is done with the server. */
    public interface Work {
        int with(ServerClient client) throws IOException, InterruptedException;
    }

    protected abstract int run(ServerClient client) throws IOException, InterruptedException;

    @Override
    public Integer call() throws InterruptedException {
        return ask(server, this::run);
    }

    /** Runs the work; a failure becomes one line on standard error. */
    public static int ask(ServerOptions server, Work work) throws InterruptedException {
        try (ServerClient client = server.connect()) {
            try {
                return work.with(client);
            } catch (ServerRefused | InputFailed | OutputFailed e) {
                return told(message(e), REFUSED);
            } catch (Misuse e) {
                return told(message(e), NO_ANSWER);
            } catch (IOException e) {
                return told(client + " does not answer: " + why(e), NO_ANSWER);
            }
        } catch (IOException e) {
            return told(message(e), NO_ANSWER);
        }
    }

    private static int told(String why, int exitCode) {
        System.err.println(why);
        return exitCode;
    }

    /** With what to do next, where that is known. */
    private static String why(IOException e) {
        if (e instanceof ConnectException) {
            return "nothing listens there. Is the server running? --url or KEPTLOG_CLIENT_URL says where.";
        }
        if (e instanceof SSLException && causedBy(e, CertPathBuilderException.class)) {
            return "its certificate is signed by nobody that is trusted here; --ca-file or KEPTLOG_CLIENT_CA_FILE names whom"
                    + " to trust.";
        }
        if (e instanceof SSLException && message(e).contains("plaintext")) {
            return "it speaks http, not https.";
        }
        return message(e);
    }

    private static boolean causedBy(Throwable failure, Class<? extends Throwable> kind) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (kind.isInstance(t)) {
                return true;
            }
        }
        return false;
    }

    private static String message(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    /** Called with what makes no sense. */
    public static final class Misuse extends IOException {
        public Misuse(String why) {
            super(why);
        }
    }

    /** What is to be sent cannot be read. */
    public static final class InputFailed extends IOException {
        public InputFailed(IOException cause) {
            super("cannot read what is to be sent: " + message(cause), cause);
        }
    }

    /** What was read cannot be written out. */
    public static final class OutputFailed extends IOException {
        public OutputFailed(IOException cause) {
            super("cannot write to standard output: " + message(cause), cause);
        }
    }
}
