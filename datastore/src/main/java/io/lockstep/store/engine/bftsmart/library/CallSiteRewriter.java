package io.lockstep.store.engine.bftsmart.library;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ASM9;
import static org.objectweb.asm.Opcodes.F_SAME;
import static org.objectweb.asm.Opcodes.GETFIELD;
import static org.objectweb.asm.Opcodes.GETSTATIC;
import static org.objectweb.asm.Opcodes.IFNE;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.NEW;
import static org.objectweb.asm.Opcodes.RETURN;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/**
 * Rewrites a library class: redirects its prints, object streams, digests, chains of epochs and
 * proposals, replaces the hash code of values, and adds a guard to {@code computeAccept}.
 */
final class CallSiteRewriter extends ClassVisitor {
  private static final String ROOM = "io/lockstep/store/engine/bftsmart/library/";
  private static final String OBJECT_INPUT = "java/io/ObjectInputStream";

  private static final String EPOCH = "bftsmart/consensus/Epoch";
  private static final String VALUE = "bftsmart/consensus/TimestampValuePair";
  private static final String BATCHES = "bftsmart/tom/util/BatchBuilder";

  private final boolean guardAccept;
  private boolean epoch;
  private boolean value;
  private boolean proposer;
  private int sites;
  private int stamps;
  private int guards;

  /** The class that makes proposals. */
  static final String PROPOSER = "bftsmart/tom/core/TOMLayer";

  CallSiteRewriter(ClassVisitor next, boolean guardAccept) {
    super(ASM9, next);
    this.guardAccept = guardAccept;
  }

  /** How many places it has changed, guards included. */
  int sites() {
    return sites;
  }

  /** How many places now make a proposal with our time. */
  int stamps() {
    return stamps;
  }

  /** How many methods got the guard. */
  int guards() {
    return guards;
  }

  @Override
  public void visit(
      int version,
      int access,
      String name,
      @Nullable String signature,
      String superName,
      String[] interfaces) {
    epoch = name.equals(EPOCH);
    value = name.equals(VALUE);
    proposer = name.equals(PROPOSER);
    super.visit(version, access, name, signature, superName, interfaces);
  }

  @Override
  public @Nullable MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    if (value && name.equals("hashCode")) {
      writeHashCode(next);
      return null;
    }
    boolean guarded =
        guardAccept
            && name.equals("computeAccept")
            && descriptor.equals("(ILbftsmart/consensus/Epoch;[B)V");
    return new Body(next, guarded);
  }

  /** Writes a new body. The visitor skips the method's own body. */
  private void writeHashCode(MethodVisitor method) {
    sites++;
    method.visitCode();
    method.visitVarInsn(ALOAD, 0);
    method.visitFieldInsn(GETFIELD, VALUE, "timestamp", "I");
    method.visitVarInsn(ALOAD, 0);
    method.visitFieldInsn(GETFIELD, VALUE, "value", "[B");
    method.visitMethodInsn(INVOKESTATIC, ROOM + "ValueDigest", "hashOf", "(I[B)I", false);
    method.visitInsn(IRETURN);
    method.visitMaxs(0, 0); // computed by the writer
    method.visitEnd();
  }

  private final class Body extends MethodVisitor {
    private final boolean guarded;

    Body(MethodVisitor next, boolean guarded) {
      super(ASM9, next);
      this.guarded = guarded;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      if (!guarded) {
        return;
      }
      Label allowed = new Label();
      super.visitVarInsn(ILOAD, 1);
      super.visitVarInsn(ALOAD, 2);
      super.visitVarInsn(ALOAD, 3);
      super.visitMethodInsn(
          INVOKESTATIC,
          ROOM + "AcceptGuard",
          "mayDecide",
          "(ILbftsmart/consensus/Epoch;[B)Z",
          false);
      super.visitJumpInsn(IFNE, allowed);
      super.visitInsn(RETURN);
      super.visitLabel(allowed);
      super.visitFrame(F_SAME, 0, null, 0, null);
      guards++;
      sites++;
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      if (opcode == GETSTATIC
          && owner.equals("java/lang/System")
          && (name.equals("out") || name.equals("err"))) {
        sites++;
        super.visitFieldInsn(GETSTATIC, ROOM + "LibraryOutput", "SINK", descriptor);
        return;
      }
      super.visitFieldInsn(opcode, owner, name, descriptor);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      if (opcode == NEW && type.equals(OBJECT_INPUT)) {
        sites++;
        super.visitTypeInsn(NEW, ROOM + "FilteredObjectInput");
        return;
      }
      super.visitTypeInsn(opcode, type);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (opcode == INVOKESPECIAL && owner.equals(OBJECT_INPUT) && name.equals("<init>")) {
        super.visitMethodInsn(opcode, ROOM + "FilteredObjectInput", name, descriptor, isInterface);
      } else if (opcode == INVOKEVIRTUAL
          && name.equals("printStackTrace")
          && descriptor.equals("()V")) {
        sites++;
        super.visitMethodInsn(
            INVOKESTATIC, ROOM + "LibraryOutput", "stackTrace", "(Ljava/lang/Throwable;)V", false);
      } else if (opcode == INVOKESTATIC
          && owner.equals("java/security/MessageDigest")
          && name.equals("getInstance")) {
        sites++;
        super.visitMethodInsn(INVOKESTATIC, ROOM + "ValueDigest", name, descriptor, false);
      } else if (epoch
          && opcode == INVOKEVIRTUAL
          && owner.equals("bftsmart/consensus/Consensus")
          && name.equals("getEpoch")) {
        sites++;
        super.visitMethodInsn(
            INVOKESTATIC,
            ROOM + "EpochChain",
            "before",
            "(L" + owner + ";" + descriptor.substring(1),
            false);
      } else if (proposer
          && opcode == INVOKEVIRTUAL
          && owner.equals(BATCHES)
          && name.equals("makeBatch")) {
        stamps++;
        sites++;
        super.visitMethodInsn(
            INVOKESTATIC,
            ROOM + "StampedBatch",
            "make",
            "(L" + owner + ";" + descriptor.substring(1),
            false);
      } else {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      }
    }
  }
}
