package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.library.LibraryPatches;
import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Runs each test method in a class loader of its own in which the library has been changed before
 * anything used it, so that neither discovery nor another test can load a class too early.
 */
final class IsolatedLibrary implements InvocationInterceptor {

  /** Loads once, for all test classes. */
  private static final class Holder {
    static final ClassLoader LOADER = create();

    private static ClassLoader create() {
      List<URL> urls = new ArrayList<>();
      for (String path : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
        try {
          urls.add(new File(path).toURI().toURL());
        } catch (MalformedURLException e) {
          throw new IllegalStateException(path, e);
        }
      }
      ClassLoader loader =
          new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
      try {
        loader.loadClass(LibraryPatches.class.getName()).getMethod("install").invoke(null);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
      return loader;
    }
  }

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> context,
      ExtensionContext extension)
      throws Throwable {
    invocation.skip();
    Class<?> copy = Holder.LOADER.loadClass(context.getExecutable().getDeclaringClass().getName());
    Constructor<?> constructor = copy.getDeclaredConstructor();
    constructor.setAccessible(true);
    Method method = copy.getDeclaredMethod(context.getExecutable().getName());
    method.setAccessible(true);
    try {
      method.invoke(constructor.newInstance());
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
