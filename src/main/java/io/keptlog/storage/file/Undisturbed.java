// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Runs a file operation on a thread that nobody else knows and so nobody can interrupt: a channel is closed when its user is
 * interrupted. The caller waits whatever happens and keeps its interrupt flag. Only for rare operations.
 */
final class Undisturbed {
    private Undisturbed() {}

    static <T extends @Nullable Object> T run(Callable<T> operation) throws IOException {
        var task = new FutureTask<T>(operation);
        Thread.ofPlatform().daemon().name("keptlog-file-operation").start(task);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw failure(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static IOException failure(@Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof IOException e ? PortableFiles.translated(e) : new IOException(cause);
    }
}
