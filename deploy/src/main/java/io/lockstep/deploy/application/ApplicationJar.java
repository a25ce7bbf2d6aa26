package io.lockstep.deploy.application;

import io.lockstep.core.app.ApplicationConfiguration;
import io.lockstep.core.app.ApplicationProvider;
import io.lockstep.core.noun.AskedApplication;
import io.lockstep.core.state.ErrorLine;
import io.lockstep.store.TableSpec;
import io.lockstep.store.typed.Declared;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * A jar from outside with the declarations of applications. It has a class loader of its own, which
 * finds the product's classes first and lives as long as the process: what one jar brings along,
 * another does not see. This bounds names, not rights: an application is code of this process.
 */
final class ApplicationJar {
  private static final String DECLARATION =
      "META-INF/services/" + ApplicationProvider.class.getName();

  private static final int MAX_ERROR_CHARACTERS = 2_000;

  /** The version of class files that Java 1.0 wrote; each release of Java has the next number. */
  private static final int VERSION_OF_JAVA_ZERO = 44;

  private final Path file;

  private ApplicationJar(Path file) {
    this.file = file;
  }

  /**
   * Loads the declarations of a jar and checks them.
   *
   * @throws ApplicationJarException where one cannot be used
   */
  static List<ApplicationProvider> load(Path file) throws ApplicationJarException {
    return new ApplicationJar(file).load();
  }

  private List<ApplicationProvider> load() throws ApplicationJarException {
    URL url = readable();
    URLClassLoader loader =
        new URLClassLoader(
            loaderName(), new URL[] {url}, ApplicationProvider.class.getClassLoader());
    if (loader.findResource(DECLARATION) == null) {
      throw refused(
          "no application is declared in it",
          "name the class that implements ApplicationProvider in its " + DECLARATION);
    }
    try {
      List<ApplicationProvider> providers =
          ServiceLoader.load(ApplicationProvider.class, loader).stream()
              .filter(provider -> provider.type().getClassLoader() == loader)
              .map(ServiceLoader.Provider::get)
              .toList();
      if (providers.isEmpty()) {
        throw refused(
            "none of the classes that its " + DECLARATION + " names is in it",
            "pack the class into the jar");
      }
      for (ApplicationProvider provider : providers) {
        check(provider);
      }
      return providers;
    } catch (UnsupportedClassVersionError e) {
      throw newer(e);
    } catch (RuntimeException | Error e) {
      throw failed(e);
    }
  }

  private URL readable() throws ApplicationJarException {
    if (!Files.isRegularFile(file)) {
      throw refused(
          Files.exists(file) ? "not a file" : "no such file",
          "give the path of a jar, such as target/my-application.jar");
    }
    try (JarFile jar = new JarFile(file.toFile())) {
      if (jar.size() == 0) {
        throw refused("the jar is empty", "give the jar of the application");
      }
      return file.toUri().toURL();
    } catch (IOException e) {
      throw refused(
          "cannot be read as a jar: " + ErrorLine.of(String.valueOf(e.getMessage())),
          "give a readable jar");
    }
  }

  private void check(ApplicationProvider provider) throws ApplicationJarException {
    String type = provider.getClass().getName();
    String name = provider.name();
    if (name == null || !name.matches(ApplicationProvider.NAME)) {
      throw refused(
          type + " declares the name '" + name + "'",
          "an application's name matches " + ApplicationProvider.NAME);
    }
    provider.priority();
    ApplicationConfiguration.usual(provider.configuration());
    AskedApplication.requireDistinct(provider.nouns());
    AskedApplication.requireNamesOfTheirOwn(provider.resources());
    if (!provider.microComponents().isEmpty()) {
      throw refused(
          "application '"
              + name
              + "' has micro components; every replica of the store would need the same ones, and"
              + " a replica that lacks one would part from the others",
          "use a batch with guards (Command.Batch), which every replica can run");
    }
    String own = "apps." + name;
    for (Map.Entry<String, TableSpec> table : provider.tables().entrySet()) {
      Declared.check(table.getKey(), Objects.requireNonNull(table.getValue(), table.getKey()));
      if (!table.getKey().equals(own) && !table.getKey().startsWith(own + ".")) {
        throw refused(
            "application '" + name + "' declares the table '" + table.getKey() + "'",
            "call its tables " + own + ", or " + own + ".SOMETHING");
      }
    }
  }

  private ApplicationJarException newer(UnsupportedClassVersionError e) {
    // The error's message has two versions and no method for them; "(class file version 65.0)".
    String message = String.valueOf(e.getMessage());
    Integer built = number(message, "class file version ");
    int runs = Runtime.version().feature();
    return refused(
        "built for "
            + (built == null ? "a newer Java" : "Java " + (built - VERSION_OF_JAVA_ZERO))
            + ", but this is Java "
            + runs,
        "compile it with 'javac --release " + runs + "', or run Lockstep with a newer Java");
  }

  private static @Nullable Integer number(String text, String before) {
    int at = text.indexOf(before);
    if (at < 0) {
      return null;
    }
    String digits = text.substring(at + before.length()).replaceAll("[^0-9].*", "");
    return digits.isEmpty() || digits.length() > 5 ? null : Integer.valueOf(digits);
  }

  /** The author gets the error and its place in the jar, in one line rather than as a trace. */
  private ApplicationJarException failed(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null
        && (cause instanceof ServiceConfigurationError
            || cause instanceof ExceptionInInitializerError)) {
      cause = cause.getCause();
    }
    return refused(
        "its declaration fails: "
            + ErrorLine.of(ErrorLine.text(cause), MAX_ERROR_CHARACTERS)
            + place(cause),
        "look into the application: nothing of it runs before it is declared");
  }

  /** Where in the jar something was thrown; empty where that is not known. */
  private String place(Throwable thrown) {
    for (StackTraceElement frame : thrown.getStackTrace()) {
      if (loaderName().equals(frame.getClassLoaderName())) {
        return " (at "
            + frame.getClassName()
            + "."
            + frame.getMethodName()
            + ", "
            + frame.getFileName()
            + ":"
            + frame.getLineNumber()
            + ")";
      }
    }
    return "";
  }

  private String loaderName() {
    return "application " + file.getFileName();
  }

  private ApplicationJarException refused(String why, String remedy) {
    return new ApplicationJarException(file, why, remedy);
  }
}
