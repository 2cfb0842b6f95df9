// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.history;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;

/**
 * Loads the product's classes anew with each call that looks at the clock, waits for it, or throws dice, led to {@link SimulatedTime}. Everything else
 * in them is what runs in the product.
 */
final class TimeRewriter extends ClassLoader {
    private static final String OWN = "io.keptlog.";
    private static final ClassDesc TIME = ClassDesc.of(SimulatedTime.class.getName());

    /** What is called, and whether the call has a receiver, which then becomes the first argument. */
    private static final Map<String, Boolean> CALLS = Map.ofEntries(
            Map.entry("java/util/concurrent/ThreadLocalRandom.nextLong()J", true),
            Map.entry("java/lang/System.nanoTime()J", false),
            Map.entry("java/util/concurrent/locks/LockSupport.parkNanos(Ljava/lang/Object;J)V", false),
            Map.entry("java/util/concurrent/locks/Condition.awaitNanos(J)J", true),
            Map.entry("java/util/concurrent/locks/ReentrantLock.tryLock(JLjava/util/concurrent/TimeUnit;)Z", true),
            Map.entry("java/lang/Thread.join(Ljava/time/Duration;)Z", true),
            Map.entry(
                    "java/util/concurrent/ScheduledThreadPoolExecutor.schedule(Ljava/lang/Runnable;JLjava/util/concurrent/TimeUnit;)"
                            + "Ljava/util/concurrent/ScheduledFuture;",
                    true),
            Map.entry(
                    "java/util/concurrent/ScheduledThreadPoolExecutor.awaitTermination(JLjava/util/concurrent/TimeUnit;)Z",
                    true),
            Map.entry(
                    "java/util/concurrent/ThreadPoolExecutor.awaitTermination(JLjava/util/concurrent/TimeUnit;)Z",
                    true),
            Map.entry("java/util/concurrent/ThreadPoolExecutor.allowCoreThreadTimeOut(Z)V", true),
            Map.entry("java/util/concurrent/ExecutorService.close()V", true));

    TimeRewriter() {
        super("simulated-time", TimeRewriter.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OWN)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            if (!name.equals(SimulatedTime.class.getName())) {
                ClassFile file = ClassFile.of();
                bytes = file.transformClass(file.parse(bytes), ClassTransform.transformingMethodBodies(this::rewrite));
            }
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void rewrite(CodeBuilder code, CodeElement element) {
        if (!(element instanceof InvokeInstruction call)) {
            code.with(element);
            return;
        }
        String owner = call.owner().asInternalName();
        String method = call.name().stringValue();
        Boolean hasReceiver = CALLS.get(owner + "." + method + call.type().stringValue());
        if (hasReceiver == null) {
            code.with(element);
            return;
        }
        MethodTypeDesc type = call.typeSymbol();
        if (hasReceiver) {
            type = type.insertParameterTypes(0, ClassDesc.ofInternalName(receiver(owner, method)));
        }
        code.invokestatic(TIME, method, type);
    }

    /** SimulatedTime has one method for both kinds of executors. */
    private static String receiver(String owner, String method) {
        return method.equals("awaitTermination") ? "java/util/concurrent/ExecutorService" : owner;
    }
}
