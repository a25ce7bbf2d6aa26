package io.lockstep.store.engine.bftsmart;

import java.lang.reflect.Field;

/** Access to private fields of the library. A hash of its classes, checked by a test, pins them. */
final class LibraryFields {
  private LibraryFields() {}

  static Field field(Class<?> type, String name) {
    try {
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException("the ordering library has no " + type + "." + name, e);
    }
  }

  static Object get(Class<?> type, String name, Object from) {
    try {
      return field(type, name).get(from);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("cannot read " + type + "." + name, e);
    }
  }

  /** Like {@link #get}, with a type that the caller knows. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <T> T typed(Class<?> type, String name, Object from) {
    return (T) get(type, name, from);
  }

  static void set(Class<?> type, String name, Object on, Object value) {
    try {
      field(type, name).set(on, value);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("cannot replace " + type + "." + name, e);
    }
  }
}
