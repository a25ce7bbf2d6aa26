package io.lockstep.walks;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/** Puts probes into each class of the product when the virtual machine loads it. */
public final class WalkAgent {
  private static final String PRODUCT = "io/lockstep/";

  private WalkAgent() {}

  /** Called by the virtual machine before {@code main}. */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    instrumentation.addTransformer(
        new ClassFileTransformer() {
          @Override
          public byte @Nullable [] transform(
              @Nullable ClassLoader loader,
              @Nullable String name,
              @Nullable Class<?> redefined,
              @Nullable ProtectionDomain domain,
              byte[] code) {
            return name != null && isProduct(name) ? withProbes(name, code) : null;
          }
        });
  }

  private static boolean isProduct(String name) {
    return name.startsWith(PRODUCT)
        && !name.startsWith("io/lockstep/walks/")
        && !name.startsWith("io/lockstep/deploy/testbed/");
  }

  private static byte[] withProbes(String name, byte[] code) {
    try {
      return MethodProbes.insert(code);
    } catch (RuntimeException e) {
      // The virtual machine drops what a transformer throws, and the class would not be counted.
      Recorder.failed(new IllegalStateException("no probes in " + name, e));
      throw e;
    }
  }
}
