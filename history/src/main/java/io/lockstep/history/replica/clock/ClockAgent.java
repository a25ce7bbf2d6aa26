package io.lockstep.history.replica.clock;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/** The agent of a replica whose clocks are to be skewed. */
public final class ClockAgent {
  /** Where time is read; the JDK's own threads, such as timers, keep the machine's. */
  private static final List<String> ROOMS = List.of("io/lockstep/store/", "bftsmart/", "io/netty/");

  private static final AtomicInteger SITES = new AtomicInteger();

  private ClockAgent() {}

  /** Called by the virtual machine before {@code main}. */
  public static void premain(@Nullable String argument, Instrumentation instrumentation) {
    instrumentation.addTransformer(
        new ClassFileTransformer() {
          @Override
          public byte @Nullable [] transform(
              @Nullable ClassLoader loader,
              @Nullable String name,
              @Nullable Class<?> redefined,
              @Nullable ProtectionDomain domain,
              byte[] bytes) {
            if (name == null || ROOMS.stream().noneMatch(name::startsWith)) {
              return null;
            }
            TimeCalls.Rewritten changed = TimeCalls.rewrite(bytes);
            SITES.addAndGet(changed.sites());
            return changed.bytes();
          }
        });
  }

  /** How many places read the skewed clocks; 0 where the agent does not run. */
  public static int sites() {
    return SITES.get();
  }

  /**
   * The flag that runs the agent in a virtual machine with the class path of this one.
   *
   * @param jar is written; it names the agent and holds no class
   */
  public static String flag(Path jar) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", ClockAgent.class.getName());
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream written = new JarOutputStream(out, manifest)) {
      written.finish();
    }
    return "-javaagent:" + jar;
  }
}
