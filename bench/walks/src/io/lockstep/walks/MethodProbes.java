package io.lockstep.walks;

import io.lockstep.walks.ProductMethod.Kind;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Makes each method of one class call {@link Recorder} at its entry, returns and handlers. */
final class MethodProbes extends ClassVisitor {
  private static final String RECORDER = "io/lockstep/walks/Recorder";

  private String type = "";
  private String source = "";
  private Kind kind = Kind.CLASS;

  private MethodProbes(ClassVisitor next) {
    super(Opcodes.ASM9, next);
  }

  /** The class with probes. */
  static byte[] insert(byte[] code) {
    ClassReader reader = new ClassReader(code);
    // The probes leave locals and the frames' stacks as they are; only depths are computed anew.
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new MethodProbes(writer), 0);
    return writer.toByteArray();
  }

  @Override
  public void visit(
      int version,
      int access,
      String name,
      @Nullable String signature,
      String superName,
      String[] interfaces) {
    type = name;
    kind = Kind.of(access, superName);
    super.visit(version, access, name, signature, superName, interfaces);
  }

  @Override
  public void visitSource(@Nullable String file, @Nullable String debug) {
    source = file == null ? "" : file;
    super.visitSource(file, debug);
  }

  @Override
  public @Nullable MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    if ((access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0) {
      return next;
    }
    String folder = type.substring(0, type.lastIndexOf('/') + 1);
    return new Probes(next, Recorder.register(new ProductMethod(folder + source, name, kind)));
  }

  private static final class Probes extends MethodVisitor {
    private final int method;
    private final Set<Label> handlers = new HashSet<>();
    private boolean atHandler;

    Probes(MethodVisitor next, int method) {
      super(Opcodes.ASM9, next);
      this.method = method;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      call("entered");
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
        call("returns");
      }
      super.visitInsn(opcode);
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String caught) {
      handlers.add(handler);
      super.visitTryCatchBlock(start, end, handler, caught);
    }

    @Override
    public void visitLabel(Label label) {
      super.visitLabel(label);
      atHandler |= handlers.contains(label);
    }

    /** A handler begins with a frame; the probe must come after it. */
    @Override
    public void visitFrame(int frame, int locals, Object[] local, int stacks, Object[] stack) {
      super.visitFrame(frame, locals, local, stacks, stack);
      if (atHandler) {
        atHandler = false;
        call("caught");
      }
    }

    private void call(String event) {
      super.visitLdcInsn(method);
      super.visitMethodInsn(Opcodes.INVOKESTATIC, RECORDER, event, "(I)V", false);
    }
  }
}
