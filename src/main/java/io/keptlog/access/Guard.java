// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.catalog.Permissions;
import io.keptlog.domain.catalog.Permissions.Global;
import io.keptlog.domain.catalog.Permissions.OfStream;
import io.keptlog.domain.catalog.Permissions.OfTopic;
import io.keptlog.domain.catalog.UserEntry;
import io.keptlog.service.UserService;
import java.util.Optional;
import java.util.function.Predicate;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;

/**
 * What the current caller may do (Iggy's permissions, http-api §3 and §5). Each method returns when the caller may, and throws
 * UNAUTHORIZED (403) when not; nothing changes either way. Safe for any number of threads; each check is one look at the current
 * catalog, so a permission that was taken away is gone at once.
 *
 * <p>A wider permission includes the narrower ones: manage_streams ⊇ read_streams and manage_topics; manage_topics ⊇ read_topics and
 * send_messages; read_streams ⊇ read_topics ⊇ poll_messages; the same per stream and per topic. Root may do everything.
 *
 * <p>A resource that does not exist is asked about with {@link #ABSENT}: only a permission that covers resources of every number lets
 * the caller learn that it is absent. So check first with the id or ABSENT, then answer 404.
 */
@Component
public class Guard {
    /** The id to ask with when the stream or topic does not exist. */
    public static final int ABSENT = -1;

    private static final OfStream NO_STREAM = new OfStream(false, false, false, false, false, false, null);
    private static final OfTopic NO_TOPIC = new OfTopic(false, false, false, false);

    private final UserService users;

    public Guard(UserService users) {
        this.users = users;
    }

    /**
     * Who is calling.
     *
     * @throws KeptlogException UNAUTHENTICATED outside of an authenticated request
     */
    public Caller caller() {
        return current()
                .orElseThrow(() ->
                        new KeptlogException(ErrorCode.UNAUTHENTICATED, "This request carries no valid credentials."));
    }

    /** Who is calling, or empty on a PUBLIC path without valid credentials. */
    public Optional<Caller> current() {
        var authentication = SecurityContextHolder.getContext().getAuthentication();
        return authentication instanceof CallerAuthentication known
                ? Optional.of(known.getPrincipal())
                : Optional.empty();
    }

    /** Statistics, clients, snapshot, Prometheus, recovery reports, details of the whole server. */
    public void readServers() {
        global("read_servers", g -> g.manageServers() || g.readServers());
    }

    /** Changes to the server itself (bookies, racks, repair). */
    public void manageServers() {
        global("manage_servers", Global::manageServers);
    }

    public boolean mayReadServers() {
        return current()
                .map(c -> may(c, g -> g.manageServers() || g.readServers()))
                .orElse(false);
    }

    public void readUsers() {
        global("read_users", g -> g.manageUsers() || g.readUsers());
    }

    public void manageUsers() {
        global("manage_users", Global::manageUsers);
    }

    /** The list of all streams. */
    public void readStreams() {
        global("read_streams", g -> g.manageStreams() || g.readStreams());
    }

    public void createStream() {
        global("manage_streams", Global::manageStreams);
    }

    public void readStream(int streamId) {
        stream(
                streamId,
                "read_stream",
                g -> g.manageStreams() || g.readStreams(),
                s -> s.manageStream() || s.readStream());
    }

    /** Update, delete, purge of a stream and its policies. */
    public void manageStream(int streamId) {
        stream(streamId, "manage_stream", Global::manageStreams, OfStream::manageStream);
    }

    /** The list of a stream's topics. */
    public void readTopics(int streamId) {
        stream(streamId, "read_topics", Guard::readsTopics, Guard::readsTopics);
    }

    public void createTopic(int streamId) {
        stream(streamId, "manage_topics", Guard::managesTopics, Guard::managesTopics);
    }

    /** A topic, its durability, its consumer groups (also their creation and deletion, as Iggy does). */
    public void readTopic(int streamId, int topicId) {
        topic(
                streamId,
                topicId,
                "read_topic",
                Guard::readsTopics,
                Guard::readsTopics,
                t -> t.manageTopic() || t.readTopic());
    }

    /** Update, delete, purge of a topic; its partitions and segments. */
    public void manageTopic(int streamId, int topicId) {
        topic(streamId, topicId, "manage_topic", Guard::managesTopics, Guard::managesTopics, OfTopic::manageTopic);
    }

    /** Polls, and consumer offsets: store, get, delete. */
    public void pollMessages(int streamId, int topicId) {
        topic(
                streamId,
                topicId,
                "poll_messages",
                g -> g.pollMessages() || readsTopics(g),
                s -> s.pollMessages() || readsTopics(s),
                t -> t.pollMessages() || t.readTopic() || t.manageTopic());
    }

    /** Produce, and the barrier that waits for what was produced. */
    public void sendMessages(int streamId, int topicId) {
        topic(
                streamId,
                topicId,
                "send_messages",
                g -> g.sendMessages() || managesTopics(g),
                s -> s.sendMessages() || managesTopics(s),
                t -> t.sendMessages() || t.manageTopic());
    }

    private static boolean managesTopics(Global g) {
        return g.manageStreams() || g.manageTopics();
    }

    private static boolean managesTopics(OfStream s) {
        return s.manageStream() || s.manageTopics();
    }

    private static boolean readsTopics(Global g) {
        return managesTopics(g) || g.readStreams() || g.readTopics();
    }

    private static boolean readsTopics(OfStream s) {
        return managesTopics(s) || s.readStream() || s.readTopics();
    }

    private void global(String permission, Predicate<Global> allows) {
        if (!may(caller(), allows)) {
            throw refused(permission);
        }
    }

    private boolean may(Caller caller, Predicate<Global> allows) {
        UserEntry user = user(caller);
        return user.isRoot() || allows.test(permissions(user).global());
    }

    private void stream(int streamId, String permission, Predicate<Global> anywhere, Predicate<OfStream> here) {
        UserEntry user = user(caller());
        if (user.isRoot() || anywhere.test(permissions(user).global()) || here.test(ofStream(user, streamId))) {
            return;
        }
        throw refused(permission);
    }

    private void topic(
            int streamId,
            int topicId,
            String permission,
            Predicate<Global> anywhere,
            Predicate<OfStream> inStream,
            Predicate<OfTopic> here) {
        UserEntry user = user(caller());
        if (user.isRoot() || anywhere.test(permissions(user).global())) {
            return;
        }
        OfStream stream = ofStream(user, streamId);
        if (inStream.test(stream) || here.test(ofTopic(stream, topicId))) {
            return;
        }
        throw refused(permission);
    }

    private UserEntry user(Caller caller) {
        UserEntry user = users.find(caller.userId());
        if (user == null || !user.active()) {
            throw new KeptlogException(ErrorCode.UNAUTHENTICATED, "This user no longer exists or is not active.");
        }
        return user;
    }

    private static Permissions permissions(UserEntry user) {
        return user.permissions() == null ? new Permissions(Global.NONE, null) : user.permissions();
    }

    private static OfStream ofStream(UserEntry user, int streamId) {
        var streams = permissions(user).streams();
        return streams == null || streamId < 0 ? NO_STREAM : streams.getOrDefault(streamId, NO_STREAM);
    }

    private static OfTopic ofTopic(OfStream stream, int topicId) {
        var topics = stream.topics();
        return topics == null || topicId < 0 ? NO_TOPIC : topics.getOrDefault(topicId, NO_TOPIC);
    }

    private static KeptlogException refused(String permission) {
        return new KeptlogException(
                ErrorCode.UNAUTHORIZED, "This needs the permission " + permission + ", which this user does not have.");
    }
}
