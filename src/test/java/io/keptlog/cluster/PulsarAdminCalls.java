// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.client.api.AuthenticationFactory;
import org.apache.pulsar.common.policies.data.PersistencePolicies;

/**
 * Pulsar's own admin client, unmodified. It is shaded and cannot share a class path with the libraries below the managed ledgers, which have
 * classes of the same names: so it runs behind a class loader that does not see them.
 */
public final class PulsarAdminCalls {
    private PulsarAdminCalls() {}

    /** Calls {@link #call} behind its own class loader. */
    @SuppressWarnings("unchecked")
    static Map<String, String> isolated(String url, String token, String namespace) throws Exception {
        var urls = new ArrayList<URL>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!entry.contains("pulsar-common")
                    && !entry.contains("managed-ledger")
                    && !entry.contains("pulsar-metadata")) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        // Not closed: the client's threads end a while after it.
        var loader = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        try {
            // The client finds its own parts by it.
            thread.setContextClassLoader(loader);
            return (Map<String, String>) loader.loadClass(PulsarAdminCalls.class.getName())
                    .getMethod("call", String.class, String.class, String.class)
                    .invoke(null, url, token, namespace);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** What the client was told: set and get, a refused quorum, remove and get, a namespace that is not there. */
    public static Map<String, String> call(String url, String token, String namespace) throws Exception {
        try (var admin = PulsarAdmin.builder()
                .serviceHttpUrl(url)
                .authentication(AuthenticationFactory.token(token))
                .build()) {
            admin.namespaces().setPersistence(namespace, new PersistencePolicies(3, 3, 2, 0));
            String set = numbers(admin.namespaces().getPersistence(namespace)).toString();
            String refused =
                    refusal(() -> admin.namespaces().setPersistence(namespace, new PersistencePolicies(2, 3, 2, 0)));
            String kept = numbers(admin.namespaces().getPersistence(namespace)).toString();
            admin.namespaces().removePersistence(namespace);
            String removed =
                    numbers(admin.namespaces().getPersistence(namespace)).toString();
            String absent = refusal(() -> admin.namespaces().getPersistence("public/absent"));
            return Map.of("set", set, "refused", refused, "kept", kept, "removed", removed, "absent", absent);
        }
    }

    private static List<Integer> numbers(PersistencePolicies policies) {
        return List.of(
                policies.getBookkeeperEnsemble(),
                policies.getBookkeeperWriteQuorum(),
                policies.getBookkeeperAckQuorum());
    }

    private interface Call {
        void run() throws PulsarAdminException;
    }

    private static String refusal(Call call) {
        try {
            call.run();
            return "not refused";
        } catch (PulsarAdminException e) {
            return e.getStatusCode() + " " + e.getMessage();
        }
    }
}
