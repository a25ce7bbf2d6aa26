package io.lockstep.deploy.onos;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A service of which a test has only the methods that it needs; any other fails the test. */
final class PartialService {
  private PartialService() {}

  /**
   * A service.
   *
   * @param part an object with methods of the same names and parameters
   */
  static <T> T of(Class<T> type, Object part) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call(part, method, arguments)));
  }

  private static @Nullable Object call(Object part, Method method, Object @Nullable [] arguments)
      throws Throwable {
    Method own;
    try {
      own = part.getClass().getDeclaredMethod(method.getName(), method.getParameterTypes());
    } catch (NoSuchMethodException e) {
      throw new AssertionError("the test has no " + method, e);
    }
    own.setAccessible(true);
    try {
      return own.invoke(part, arguments);
    } catch (InvocationTargetException e) {
      throw Objects.requireNonNull(e.getCause());
    }
  }
}
