package io.lockstep.bench.atomix;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The agent of Atomix's processes: it repairs a defect that would hold Atomix back.
 *
 * <p>Two threads of an Atomix server raise the number of a session's last command without a lock:
 * the one that appends commands and the one that applies them ({@code
 * RaftSession.setRequestSequence}). Where one sets it back, the leader takes the next command for
 * one that came too early, and it waits with all later ones for a command that is there already,
 * until the client's time-out of five seconds, which is fixed. It is issue 1044 of the project,
 * closed, and in 3.1.12, its last version, still. The repair makes the methods that use the number
 * synchronized.
 */
public final class SequenceRepair {
  static final String SESSION = "io/atomix/protocols/raft/session/RaftSession";
  private static final String METHODS = "RequestSequence";
  private static final int FAILED = 1;

  private SequenceRepair() {}

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
            return SESSION.equals(name) ? repairOrHalt(bytes) : null;
          }
        });
  }

  /** The virtual machine would ignore an exception here and measure what is not repaired. */
  private static byte[] repairOrHalt(byte[] bytes) {
    try {
      return repaired(bytes);
    } catch (RuntimeException e) {
      System.err.println("cannot repair Atomix: " + e);
      Runtime.getRuntime().halt(FAILED);
      throw e;
    }
  }

  /**
   * The class with synchronized methods.
   *
   * @throws IllegalArgumentException where it has no such methods: it is of another version
   */
  static byte[] repaired(byte[] bytes) {
    ClassWriter writer = new ClassWriter(0);
    SynchronizingVisitor visitor = new SynchronizingVisitor(writer);
    new ClassReader(bytes).accept(visitor, 0);
    if (visitor.found == 0) {
      throw new IllegalArgumentException("it has no methods named *" + METHODS);
    }
    return writer.toByteArray();
  }

  private static final class SynchronizingVisitor extends ClassVisitor {
    private int found;

    SynchronizingVisitor(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      boolean racing = name.endsWith(METHODS);
      found += racing ? 1 : 0;
      return super.visitMethod(
          racing ? access | Opcodes.ACC_SYNCHRONIZED : access,
          name,
          descriptor,
          signature,
          exceptions);
    }
  }
}
