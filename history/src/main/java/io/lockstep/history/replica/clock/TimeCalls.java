package io.lockstep.history.replica.clock;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Leads calls of the system's clocks, and references to them, to {@link SkewedTime}. Pure. */
final class TimeCalls extends ClassVisitor {
  private static final Set<String> CLOCKS = Set.of("nanoTime", "currentTimeMillis");
  private static final String SYSTEM = "java/lang/System";
  private static final String SKEWED = "io/lockstep/history/replica/clock/SkewedTime";

  private int sites;

  private TimeCalls(ClassVisitor next) {
    super(Opcodes.ASM9, next);
  }

  /**
   * A changed class.
   *
   * @param bytes the new class; null where it reads no clock
   */
  record Rewritten(byte @Nullable [] bytes, int sites) {}

  static Rewritten rewrite(byte[] original) {
    String text = new String(original, StandardCharsets.ISO_8859_1);
    if (CLOCKS.stream().noneMatch(text::contains)) {
      return new Rewritten(null, 0);
    }
    ClassReader reader = new ClassReader(original);
    ClassWriter writer = new ClassWriter(reader, 0);
    TimeCalls calls = new TimeCalls(writer);
    reader.accept(calls, 0);
    return new Rewritten(calls.sites == 0 ? null : writer.toByteArray(), calls.sites);
  }

  private boolean isClock(String owner, String name) {
    boolean clock = owner.equals(SYSTEM) && CLOCKS.contains(name);
    sites += clock ? 1 : 0;
    return clock;
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitMethodInsn(
          int opcode, String owner, String called, String type, boolean isInterface) {
        boolean clock = opcode == Opcodes.INVOKESTATIC && isClock(owner, called);
        super.visitMethodInsn(opcode, clock ? SKEWED : owner, called, type, isInterface);
      }

      @Override
      public void visitInvokeDynamicInsn(
          String called, String type, Handle bootstrap, Object... arguments) {
        Object[] led = arguments.clone();
        for (int i = 0; i < led.length; i++) {
          if (led[i] instanceof Handle handle && isClock(handle.getOwner(), handle.getName())) {
            led[i] = new Handle(handle.getTag(), SKEWED, handle.getName(), handle.getDesc(), false);
          }
        }
        super.visitInvokeDynamicInsn(called, type, bootstrap, led);
      }
    };
  }
}
