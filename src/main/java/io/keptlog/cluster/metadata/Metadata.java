// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.metadata;

import io.keptlog.cluster.client.Waits;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.pulsar.metadata.api.GetResult;
import org.apache.pulsar.metadata.api.MetadataStoreConfig;
import org.apache.pulsar.metadata.api.MetadataStoreException;
import org.apache.pulsar.metadata.api.Stat;
import org.apache.pulsar.metadata.api.extended.CreateOption;
import org.apache.pulsar.metadata.api.extended.MetadataStoreExtended;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The metadata store, with waits that end. Thread-safe. When it does not answer in time a read throws QUORUM_UNAVAILABLE; a write throws
 * SYNC_FAILED, because it may have been made.
 */
public final class Metadata implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Metadata.class);
    static final String ROOT = "/keptlog";
    private static final int WAIT_MILLIS = 8_000;

    private final MetadataStoreExtended store;

    /**
     * A value with its version.
     *
     * @param mine an ephemeral value that this very session made
     */
    public record Value(byte[] bytes, long version, boolean mine) {}

    /**
     * @param uri for example {@code zk:127.0.0.1:2181}
     * @throws KeptlogException QUORUM_UNAVAILABLE: not reachable
     */
    public Metadata(String uri, int sessionTimeoutMillis) {
        try {
            store = MetadataStoreExtended.create(
                    uri,
                    MetadataStoreConfig.builder()
                            .sessionTimeoutMillis(sessionTimeoutMillis)
                            .metadataStoreName("keptlog")
                            .build());
        } catch (MetadataStoreException e) {
            throw new KeptlogException(
                    ErrorCode.QUORUM_UNAVAILABLE,
                    "The metadata store " + uri + " cannot be reached: " + e.getMessage(),
                    null,
                    0,
                    Map.of(),
                    e);
        }
    }

    /** For the managed ledgers, which keep their lists of ledgers in the same store. */
    public MetadataStoreExtended store() {
        return store;
    }

    public @Nullable Value get(String path) {
        Optional<GetResult> found = read(store.get(path));
        return found.map(r -> new Value(
                        r.getValue(), r.getStat().getVersion(), r.getStat().isCreatedBySelf()))
                .orElse(null);
    }

    /** As {@link #get}, and not older than anything that was written before this call, by whomever. */
    public @Nullable Value getLatest(String path) {
        read(store.sync(path));
        return get(path);
    }

    /** Names below a path; empty when it is absent. */
    public List<String> children(String path) {
        return read(store.getChildrenFromStore(path));
    }

    /** @return false when it is there already */
    public boolean create(String path, byte[] bytes) {
        return put(path, bytes, -1, EnumSet.noneOf(CreateOption.class)).isPresent();
    }

    /** A value that goes with this process's session. @return false when it is there already */
    public boolean createEphemeral(String path, byte[] bytes) {
        return put(path, bytes, -1, EnumSet.of(CreateOption.Ephemeral)).isPresent();
    }

    /** @return the new version; empty when the version was not the expected one any more */
    public OptionalLong replace(String path, byte[] bytes, long expectedVersion) {
        return put(path, bytes, expectedVersion, EnumSet.noneOf(CreateOption.class));
    }

    private OptionalLong put(String path, byte[] bytes, long expectedVersion, EnumSet<CreateOption> options) {
        try {
            Stat stat = Waits.result(
                    store.put(path, bytes, Optional.of(expectedVersion), options), Deadline.inMillis(WAIT_MILLIS));
            return OptionalLong.of(stat.getVersion());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof MetadataStoreException.BadVersionException
                    || e.getCause() instanceof MetadataStoreException.AlreadyExistsException) {
                return OptionalLong.empty();
            }
            throw unknown(path, Waits.unwrap(e));
        } catch (TimeoutException e) {
            throw unknown(path, e);
        }
    }

    /** Nothing happens when it is absent. */
    public void delete(String path) {
        try {
            Waits.result(store.delete(path, Optional.empty()), Deadline.inMillis(WAIT_MILLIS));
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof MetadataStoreException.NotFoundException)) {
                throw unknown(path, Waits.unwrap(e));
            }
        } catch (TimeoutException e) {
            throw unknown(path, e);
        }
    }

    /** Paths that changed; called on the store's own thread: must return at once. */
    public void onChange(Consumer<String> listener) {
        store.registerListener(notification -> listener.accept(notification.getPath()));
    }

    private static <T> T read(CompletableFuture<T> answer) {
        try {
            return Waits.result(answer, Deadline.inMillis(WAIT_MILLIS));
        } catch (ExecutionException | TimeoutException e) {
            throw new KeptlogException(
                    ErrorCode.QUORUM_UNAVAILABLE,
                    "The metadata store does not answer: " + Waits.unwrap(e).getMessage(),
                    null,
                    1,
                    Map.of(),
                    e);
        }
    }

    private static KeptlogException unknown(String path, Throwable cause) {
        return new KeptlogException(
                ErrorCode.SYNC_FAILED,
                "The metadata store has not confirmed the change of " + path + "; it may have been made.",
                null,
                0,
                Map.of(),
                cause);
    }

    @Override
    public void close() {
        try {
            store.close();
        } catch (Exception e) {
            LOG.info("The connection to the metadata store ended unclean: {}", e.toString());
        }
    }
}
