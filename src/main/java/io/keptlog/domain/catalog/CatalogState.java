// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.catalog;

import io.keptlog.domain.Identifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Everything that exists, immutable. {@link #apply} leads to the next state and throws IllegalStateException for a change that does not
 * fit: such a change was never decided on this state.
 */
public final class CatalogState {
    public static final CatalogState EMPTY =
            new CatalogState(0, new TreeMap<>(), 0, new TreeMap<>(), Set.of(), Map.of());

    private final int nextStreamId;
    private final SortedMap<Integer, StreamEntry> streams;
    private final int nextUserId;
    private final SortedMap<Integer, UserEntry> users;
    private final Set<Removal> removals;
    private final Map<String, Long> revokedSessions;
    private final Map<String, StreamEntry> streamsByName = new HashMap<>();
    private final Map<String, UserEntry> usersByName = new HashMap<>();

    /** The state as its parts; takes copies. */
    public CatalogState(
            int nextStreamId,
            SortedMap<Integer, StreamEntry> streams,
            int nextUserId,
            SortedMap<Integer, UserEntry> users,
            Set<Removal> removals,
            Map<String, Long> revokedSessions) {
        this.nextStreamId = nextStreamId;
        this.streams = Collections.unmodifiableSortedMap(new TreeMap<>(streams));
        this.nextUserId = nextUserId;
        this.users = Collections.unmodifiableSortedMap(new TreeMap<>(users));
        this.removals = Collections.unmodifiableSet(new LinkedHashSet<>(removals));
        this.revokedSessions = Map.copyOf(revokedSessions);
        streams.values().forEach(s -> streamsByName.put(s.name(), s));
        users.values().forEach(u -> usersByName.put(u.username(), u));
    }

    public int nextStreamId() {
        return nextStreamId;
    }

    public SortedMap<Integer, StreamEntry> streams() {
        return streams;
    }

    public int nextUserId() {
        return nextUserId;
    }

    public SortedMap<Integer, UserEntry> users() {
        return users;
    }

    /** Partitions that are deleted but whose files may still be there. */
    public Set<Removal> removals() {
        return removals;
    }

    /** Logged-out JWT ids with the second in which each would have expired. */
    public Map<String, Long> revokedSessions() {
        return revokedSessions;
    }

    public @Nullable StreamEntry findStream(Identifier identifier) {
        return switch (identifier) {
            case Identifier.Numeric n -> n.value() > Integer.MAX_VALUE ? null : streams.get((int) n.value());
            case Identifier.Name name -> streamsByName.get(name.value());
        };
    }

    public @Nullable UserEntry findUser(Identifier identifier) {
        return switch (identifier) {
            case Identifier.Numeric n -> n.value() > Integer.MAX_VALUE ? null : users.get((int) n.value());
            case Identifier.Name name -> usersByName.get(name.value());
        };
    }

    public @Nullable TopicEntry findTopic(int streamId, int topicId) {
        StreamEntry stream = streams.get(streamId);
        return stream == null ? null : stream.topics().get(topicId);
    }

    /**
     * @throws IllegalStateException when the change does not fit this state
     */
    public CatalogState apply(CatalogChange change) {
        return switch (change) {
            case CatalogChange.StreamCreated c -> putStream(
                    new StreamEntry(c.streamId(), c.createdAtMicros(), c.name(), c.options(), 0, new TreeMap<>()));
            case CatalogChange.StreamUpdated c -> putStream(stream(
                    c.streamId(),
                    s -> new StreamEntry(
                            s.id(), s.createdAtMicros(), c.name(), c.options(), s.nextTopicId(), s.topics())));
            case CatalogChange.StreamDeleted c -> deleteStream(c.streamId());
            case CatalogChange.UserCreated c -> putUser(c.user());
            case CatalogChange.UserUpdated c -> putUser(user(c.userId(), u -> Users.updated(u, c)));
            case CatalogChange.PasswordChanged c -> putUser(user(c.userId(), u -> Users.withPassword(u, c)));
            case CatalogChange.PermissionsChanged c -> putUser(
                    user(c.userId(), u -> Users.withPermissions(u, c.permissions())));
            case CatalogChange.UserDeleted c -> deleteUser(c.userId());
            case CatalogChange.TokenCreated c -> putUser(user(c.userId(), u -> Users.withToken(u, c.token())));
            case CatalogChange.TokenDeleted c -> putUser(user(c.userId(), u -> Users.withoutToken(u, c.name())));
            case CatalogChange.SessionRevoked c -> revoke(c);
            case CatalogChange.RemovalsDone c -> withoutRemovals(c.removals());
            case CatalogChange.TopicCreated c -> Topics.created(this, c);
            case CatalogChange.TopicUpdated c -> Topics.updated(this, c);
            case CatalogChange.TopicDeleted c -> Topics.deleted(this, c);
            case CatalogChange.TopicsPurged c -> Topics.purged(this, c);
            case CatalogChange.PartitionsAdded c -> Topics.partitionsAdded(this, c);
            case CatalogChange.PartitionsRemoved c -> Topics.partitionsRemoved(this, c);
            case CatalogChange.GroupCreated c -> Topics.groupCreated(this, c);
            case CatalogChange.GroupDeleted c -> Topics.groupDeleted(this, c);
        };
    }

    StreamEntry stream(int id, UnaryOperator<StreamEntry> next) {
        StreamEntry stream = streams.get(id);
        if (stream == null) {
            throw new IllegalStateException("no stream " + id);
        }
        return next.apply(stream);
    }

    CatalogState putStream(StreamEntry stream) {
        var next = new TreeMap<>(streams);
        next.put(stream.id(), stream);
        return new CatalogState(
                Math.max(nextStreamId, stream.id() + 1), next, nextUserId, users, removals, revokedSessions);
    }

    CatalogState withRemovals(List<Removal> more) {
        var next = new LinkedHashSet<>(removals);
        next.addAll(more);
        return new CatalogState(nextStreamId, streams, nextUserId, users, next, revokedSessions);
    }

    private CatalogState withoutRemovals(List<Removal> done) {
        var next = new LinkedHashSet<>(removals);
        done.forEach(next::remove);
        return new CatalogState(nextStreamId, streams, nextUserId, users, next, revokedSessions);
    }

    private CatalogState deleteStream(int id) {
        var gone = new ArrayList<Removal>();
        stream(id, UnaryOperator.identity()).topics().values().forEach(t -> gone.addAll(Topics.removals(t)));
        var next = new TreeMap<>(streams);
        next.remove(id);
        return new CatalogState(nextStreamId, next, nextUserId, users, removals, revokedSessions).withRemovals(gone);
    }

    private UserEntry user(int id, UnaryOperator<UserEntry> next) {
        UserEntry user = users.get(id);
        if (user == null) {
            throw new IllegalStateException("no user " + id);
        }
        return next.apply(user);
    }

    private CatalogState putUser(UserEntry user) {
        var next = new TreeMap<>(users);
        next.put(user.id(), user);
        return new CatalogState(
                nextStreamId, streams, Math.max(nextUserId, user.id() + 1), next, removals, revokedSessions);
    }

    private CatalogState deleteUser(int id) {
        user(id, UnaryOperator.identity());
        var next = new TreeMap<>(users);
        next.remove(id);
        return new CatalogState(nextStreamId, streams, nextUserId, next, removals, revokedSessions);
    }

    private CatalogState revoke(CatalogChange.SessionRevoked change) {
        var next = new HashMap<>(revokedSessions);
        next.put(change.jwtId(), change.expirySeconds());
        return new CatalogState(nextStreamId, streams, nextUserId, users, removals, next);
    }

    /** The same state without revocations of tokens that have expired by then; used when a journal is compacted. */
    public CatalogState withoutRevocationsBefore(long epochSeconds) {
        var next = new HashMap<>(revokedSessions);
        next.values().removeIf(expiry -> expiry < epochSeconds);
        return new CatalogState(nextStreamId, streams, nextUserId, users, removals, next);
    }
}
