// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.system;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Who talks to the server: over HTTP a client is a user at an address that made a request within the last minutes. Safe for any number
 * of threads; bounded; forgotten with the process.
 */
public final class ClientRegistry {
    private static final Duration REMEMBERED = Duration.ofMinutes(5);

    private final Cache<Origin, Client> clients;
    private final AtomicLong nextId = new AtomicLong(1);

    /**
     * @param ticker the clock of forgetting
     */
    public ClientRegistry(Ticker ticker) {
        clients = Caffeine.newBuilder()
                .maximumSize(Limits.CLIENTS_REMEMBERED_MAX)
                .expireAfterAccess(REMEMBERED)
                .ticker(ticker)
                .executor(Runnable::run)
                .build();
    }

    private record Origin(int userId, String address) {}

    /** A client. Over HTTP it is in no consumer group. */
    public record Client(long id, int userId, String address) {}

    /** A verified user made a request from an address. */
    public void seen(int userId, String address) {
        var unused = clients.get(
                new Origin(userId, address),
                o -> new Client(nextId.getAndIncrement() & 0xFFFF_FFFFL, o.userId(), o.address()));
    }

    /** By id. */
    public List<Client> list() {
        clients.cleanUp();
        return clients.asMap().values().stream()
                .sorted(Comparator.comparingLong(Client::id))
                .toList();
    }

    /**
     * @throws KeptlogException CLIENT_NOT_FOUND
     */
    public Client get(long id) {
        return list().stream()
                .filter(c -> c.id() == id)
                .findFirst()
                .orElseThrow(() ->
                        new KeptlogException(ErrorCode.CLIENT_NOT_FOUND, "Client " + id + " not found.", "client_id"));
    }
}
