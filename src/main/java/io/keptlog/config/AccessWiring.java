// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import io.keptlog.access.Authenticator;
import io.keptlog.access.PasswordCheck;
import io.keptlog.access.Pbkdf2Passwords;
import io.keptlog.access.RootUser;
import io.keptlog.access.Sessions;
import io.keptlog.access.SigningKey;
import io.keptlog.service.PasswordHashing;
import io.keptlog.service.TokenService;
import io.keptlog.service.UserService;
import io.keptlog.storage.Catalog;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Users, tokens and passwords on top of the catalog. */
@Configuration(proxyBeanMethods = false)
class AccessWiring {
    @Bean
    @ConditionalOnMissingBean
    PasswordHashing passwordHashing() {
        return new Pbkdf2Passwords();
    }

    @Bean
    UserService userService(Catalog catalog, PasswordHashing hashing, InstantSource clock) {
        return new UserService(catalog, hashing, clock);
    }

    @Bean
    TokenService tokenService(Catalog catalog, InstantSource clock) {
        return new TokenService(catalog, clock);
    }

    /** The catalog comes first: it makes and locks the data directory. */
    @Bean
    @Conditional(SingleNode.class)
    SigningKey signingKey(KeptlogProperties properties, Catalog catalog) {
        return SigningKey.load(properties.dataDir());
    }

    @Bean
    Sessions sessions(SigningKey key, UserService users, InstantSource clock) {
        return new Sessions(key, users, clock);
    }

    @Bean
    PasswordCheck passwordCheck(UserService users, PasswordHashing hashing, InstantSource clock) {
        return new PasswordCheck(users, hashing, clock);
    }

    @Bean
    Authenticator authenticator(Sessions sessions, TokenService tokens, PasswordCheck passwords) {
        return new Authenticator(sessions, tokens, passwords);
    }

    /** Before the web server starts. */
    @Bean
    SmartInitializingSingleton rootUser(UserService users, KeptlogProperties properties, Environment environment) {
        var root = new RootUser(users, rootCredentials(properties, environment), serverUri(environment));
        return root::ensure;
    }

    static RootUser.@Nullable Credentials rootCredentials(KeptlogProperties properties, Environment environment) {
        if (properties.rootUsername() != null && properties.rootPassword() != null) {
            return new RootUser.Credentials(properties.rootUsername(), properties.rootPassword());
        }
        String username = environment.getProperty("IGGY_ROOT_USERNAME");
        String password = environment.getProperty("IGGY_ROOT_PASSWORD");
        if ((username == null) != (password == null)) {
            throw new ConfigurationRefused(
                    "Only one of IGGY_ROOT_USERNAME and IGGY_ROOT_PASSWORD is set: set both or none.");
        }
        return username == null || password == null ? null : new RootUser.Credentials(username, password);
    }

    private static String serverUri(Environment environment) {
        String scheme = ReadyNote.isEncrypted(environment) ? "https" : "http";
        return scheme + "://127.0.0.1:" + environment.getProperty("server.port", "3000");
    }
}
