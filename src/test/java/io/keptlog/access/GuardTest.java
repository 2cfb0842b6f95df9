// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.catalog.Permissions;
import io.keptlog.domain.catalog.Permissions.Global;
import io.keptlog.domain.catalog.Permissions.OfStream;
import io.keptlog.domain.catalog.Permissions.OfTopic;
import io.keptlog.domain.catalog.UserEntry;
import io.keptlog.service.PasswordHashing;
import io.keptlog.service.UserService;
import io.keptlog.storage.InMemoryCatalog;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;

/** Each permission lets exactly the operations through that it covers; stream 1 with topic 2 exists, 8 and 9 are others. */
class GuardTest {
    private static final PasswordHashing NO_HASHING = new PasswordHashing() {
        @Override
        public String hash(String password) {
            return password;
        }

        @Override
        public boolean matches(String password, String hash) {
            return password.equals(hash);
        }
    };

    private final UserService users = new UserService(new InMemoryCatalog(), NO_HASHING, InstantSource.system());
    private final Guard guard = new Guard(users);
    private final UserEntry root = createRoot();

    private UserEntry createRoot() {
        users.createRoot("root", "word");
        UserEntry made = users.find(0);
        assertThat(made).isNotNull();
        return made;
    }

    @AfterEach
    void nobodyIsLoggedIn() {
        SecurityContextHolder.clearContext();
    }

    private Map<String, Runnable> operations() {
        var all = new LinkedHashMap<String, Runnable>();
        all.put("readServers", guard::readServers);
        all.put("manageServers", guard::manageServers);
        all.put("readUsers", guard::readUsers);
        all.put("manageUsers", guard::manageUsers);
        all.put("readStreams", guard::readStreams);
        all.put("createStream", guard::createStream);
        all.put("readStream", () -> guard.readStream(1));
        all.put("manageStream", () -> guard.manageStream(1));
        all.put("readTopics", () -> guard.readTopics(1));
        all.put("createTopic", () -> guard.createTopic(1));
        all.put("readTopic", () -> guard.readTopic(1, 2));
        all.put("manageTopic", () -> guard.manageTopic(1, 2));
        all.put("poll", () -> guard.pollMessages(1, 2));
        all.put("send", () -> guard.sendMessages(1, 2));
        all.put("otherStream", () -> guard.readStream(8));
        all.put("otherTopic", () -> guard.pollMessages(1, 9));
        all.put("absentStream", () -> guard.readStream(Guard.ABSENT));
        all.put("absentTopic", () -> guard.readTopic(1, Guard.ABSENT));
        return all;
    }

    private List<String> allowed() {
        List<String> passed = new ArrayList<>();
        operations().forEach((name, operation) -> {
            try {
                operation.run();
                passed.add(name);
            } catch (KeptlogException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHORIZED);
            }
        });
        return passed;
    }

    private void login(UserEntry user) {
        SecurityContextHolder.setContext(new SecurityContextImpl(new CallerAuthentication(Caller.of(user, null))));
    }

    private void loginWith(Permissions permissions) {
        login(users.create("somebody", "word", true, permissions));
    }

    @Test
    void rootMayEverything() {
        login(root);
        assertThat(allowed()).containsExactlyElementsOf(operations().keySet());
    }

    @Test
    void withoutPermissionsNothingIsAllowed() {
        login(users.create("nobody", "word", true, null));
        assertThat(allowed()).isEmpty();
        assertThat(guard.mayReadServers()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|readServers manageServers",
                "1|readServers",
                "2|readUsers manageUsers",
                "3|readUsers",
                "4|readStreams createStream readStream manageStream readTopics createTopic readTopic manageTopic poll send"
                        + " otherStream otherTopic absentStream absentTopic",
                "5|readStreams readStream readTopics readTopic poll otherStream otherTopic absentStream absentTopic",
                "6|readTopics createTopic readTopic manageTopic poll send otherTopic absentTopic",
                "7|readTopics readTopic poll otherTopic absentTopic",
                "8|poll otherTopic",
                "9|send"
            })
    void aGlobalPermissionCoversItsOwn(int flag, String expected) {
        boolean[] f = new boolean[10];
        f[flag] = true;
        loginWith(new Permissions(new Global(f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9]), null));
        assertThat(allowed()).containsExactlyInAnyOrder(expected.split(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|readStream manageStream readTopics createTopic readTopic manageTopic poll send otherTopic absentTopic",
                "1|readStream readTopics readTopic poll otherTopic absentTopic",
                "2|readTopics createTopic readTopic manageTopic poll send otherTopic absentTopic",
                "3|readTopics readTopic poll otherTopic absentTopic",
                "4|poll otherTopic",
                "5|send"
            })
    void aPermissionOnAStreamCoversThatStreamOnly(int flag, String expected) {
        boolean[] f = new boolean[6];
        f[flag] = true;
        loginWith(new Permissions(Global.NONE, Map.of(1, new OfStream(f[0], f[1], f[2], f[3], f[4], f[5], null))));
        assertThat(allowed()).containsExactlyInAnyOrder(expected.split(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0|readTopic manageTopic poll send", "1|readTopic poll", "2|poll", "3|send"})
    void aPermissionOnATopicCoversThatTopicOnly(int flag, String expected) {
        boolean[] f = new boolean[4];
        f[flag] = true;
        loginWith(new Permissions(
                Global.NONE,
                Map.of(
                        1,
                        new OfStream(
                                false,
                                false,
                                false,
                                false,
                                false,
                                false,
                                Map.of(2, new OfTopic(f[0], f[1], f[2], f[3]))))));
        assertThat(allowed()).containsExactlyInAnyOrder(expected.split(" "));
    }

    @Test
    void aUserThatIsGoneOrInactiveIsNobody() {
        UserEntry user = users.create("leaving", "word", true, new Permissions(Global.ALL, null));
        login(user);
        guard.readStreams();
        users.update(user.id(), null, false);
        assertThatThrownBy(guard::readStreams).isInstanceOfSatisfying(KeptlogException.class, e -> assertThat(e.code())
                .isEqualTo(ErrorCode.UNAUTHENTICATED));
        users.delete(user.id());
        assertThatThrownBy(guard::readStreams).isInstanceOf(KeptlogException.class);
        SecurityContextHolder.clearContext();
        assertThatThrownBy(guard::caller).isInstanceOf(KeptlogException.class);
    }
}
