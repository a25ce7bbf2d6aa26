package io.lockstep.bench.rules;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The compiled classes of all modules of this checkout, tests aside, and which of them each class
 * uses. Reads only the constant pools (JVM specification, section 4.4), so a second is enough.
 */
final class CheckoutClasses {
  private static final Pattern MODULE = Pattern.compile("<module>(.*)</module>");
  private static final Pattern CLASS = Pattern.compile("io/lockstep/[\\w/$]+");
  private static final Pattern ANONYMOUS = Pattern.compile("\\d+");

  private static final List<CheckoutClass> ALL = read();

  /**
   * A class.
   *
   * @param module its directory, from the root of the checkout
   * @param name with its package, and with {@code $} before the name of a nested class
   * @param uses names of other classes of the checkout that its constant pool names
   */
  record CheckoutClass(String module, String name, Set<String> uses) {
    String packageName() {
      return packageOf(name);
    }

    boolean isNested() {
      return name.contains("$");
    }

    /** The name in the source; of an anonymous class a number. */
    String simpleName() {
      String last = name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
      return ANONYMOUS.matcher(last).matches() ? last : last.replaceFirst("^\\d+", "");
    }

    boolean isAnonymous() {
      return ANONYMOUS.matcher(simpleName()).matches();
    }
  }

  private CheckoutClasses() {}

  /** All classes except {@code package-info} and what annotation processors generate. */
  static List<CheckoutClass> all() {
    return ALL;
  }

  /** The directories of the modules, in the order of the root's pom.xml. */
  static List<String> modules() {
    List<String> modules = new ArrayList<>();
    try {
      Matcher module = MODULE.matcher(Files.readString(root().resolve("pom.xml")));
      while (module.find()) {
        modules.add(module.group(1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return modules;
  }

  /** For each package of ours, the other packages of ours that its classes use. */
  static Map<String, Set<String>> usesOfPackages() {
    return uses(CheckoutClasses::packageOf, one -> true);
  }

  /** For each outermost class of a package, the other ones of that package that it uses. */
  static Map<String, Set<String>> usesWithin(String room) {
    Function<String, String> outermost =
        name -> name.substring(room.length() + 1).replaceFirst("\\$.*", "");
    return uses(outermost, name -> packageOf(name).equals(room));
  }

  private static Map<String, Set<String>> uses(
      Function<String, String> part, Predicate<String> wanted) {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (CheckoutClass one : ALL) {
      if (wanted.test(one.name())) {
        String user = part.apply(one.name());
        Set<String> used = uses.computeIfAbsent(user, any -> new TreeSet<>());
        one.uses().stream()
            .filter(wanted)
            .map(part)
            .filter(other -> !other.equals(user))
            .forEach(used::add);
      }
    }
    return uses;
  }

  private static String packageOf(String name) {
    return name.substring(0, name.lastIndexOf('.'));
  }

  /** The tests of a module run in its directory. */
  private static Path root() {
    return Path.of("..").toAbsolutePath().normalize();
  }

  private static List<CheckoutClass> read() {
    List<CheckoutClass> named = new ArrayList<>();
    for (String module : modules()) {
      Path classes = root().resolve(module).resolve("target/classes");
      try (Stream<Path> files = Files.walk(classes)) {
        for (Path file : files.filter(CheckoutClasses::isWritten).sorted().toList()) {
          named.add(
              new CheckoutClass(module, name(classes.relativize(file)), namesInConstants(file)));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(
            "the module " + module + " is not compiled; ./lockstep check compiles all modules", e);
      }
    }
    return onlyClasses(named);
  }

  private static boolean isWritten(Path file) {
    String path = file.toString();
    return path.endsWith(".class")
        && !path.endsWith("package-info.class")
        && !path.contains("jmh_generated");
  }

  private static String name(Path file) {
    return file.toString().replaceFirst("\\.class$", "").replace('/', '.');
  }

  /** A text in a constant pool can look like the name of a class without being one. */
  private static List<CheckoutClass> onlyClasses(List<CheckoutClass> named) {
    Set<String> names = new HashSet<>();
    named.forEach(one -> names.add(one.name()));
    List<CheckoutClass> classes = new ArrayList<>();
    for (CheckoutClass one : named) {
      Set<String> uses = new TreeSet<>(one.uses());
      uses.retainAll(names);
      uses.remove(one.name());
      classes.add(new CheckoutClass(one.module(), one.name(), Set.copyOf(uses)));
    }
    return List.copyOf(classes);
  }

  /** All that looks like a name of one of our classes: in class names, descriptors, signatures. */
  private static Set<String> namesInConstants(Path file) throws IOException {
    Set<String> names = new HashSet<>();
    try (InputStream in = Files.newInputStream(file)) {
      for (String text : texts(new DataInputStream(new BufferedInputStream(in)))) {
        Matcher name = CLASS.matcher(text);
        while (name.find()) {
          names.add(name.group().replace('/', '.'));
        }
      }
    }
    return names;
  }

  /** The UTF-8 constants of a class file. */
  private static List<String> texts(DataInputStream in) throws IOException {
    List<String> texts = new ArrayList<>();
    int magicAndVersions = 8;
    in.skipNBytes(magicAndVersions);
    int count = in.readUnsignedShort();
    int index = 1;
    while (index < count) {
      int tag = in.readUnsignedByte();
      index++;
      switch (tag) {
        case 1 -> texts.add(in.readUTF());
        case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
        case 5, 6 -> {
          in.skipNBytes(8);
          // A long or double takes two entries.
          index++;
        }
        case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
        case 15 -> in.skipNBytes(3);
        default -> throw new IOException("constant pool with tag " + tag);
      }
    }
    return texts;
  }
}
