package io.lockstep.walks;

import org.objectweb.asm.Opcodes;

/**
 * A method that has a probe.
 *
 * @param file of its source, with its package's folders; a nested type has the file of its outer
 *     type
 * @param name as in the class file
 * @param kind of the type that declares it
 */
record ProductMethod(String file, String name, Kind kind) {

  /** What declares a method. Only classes work; the other kinds carry data. */
  enum Kind {
    CLASS,
    RECORD,
    ENUM,
    INTERFACE,
    EXCEPTION;

    static Kind of(int access, String superName) {
      if ((access & Opcodes.ACC_INTERFACE) != 0) {
        return INTERFACE;
      }
      if ((access & Opcodes.ACC_ENUM) != 0) {
        return ENUM;
      }
      if (superName.equals("java/lang/Record")) {
        return RECORD;
      }
      return superName.endsWith("Exception") ? EXCEPTION : CLASS;
    }
  }

  /** Whether this is a method of a class, and no constructor or initializer. */
  boolean works() {
    return kind == Kind.CLASS && !name.equals("<init>") && !name.equals("<clinit>");
  }

  /** Whether what this calls belongs to the state machine. */
  boolean isStateMachine() {
    return file.equals("io/lockstep/store/core/StoreStateMachine.java");
  }
}
