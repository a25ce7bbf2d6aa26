package io.lockstep.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.cluster.Member;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.host.DeviceAccess;
import io.lockstep.core.state.StoreFeed;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.local.LocalEngine;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The table of docs/ONOS_API.md, compared with the services that a node offers. */
class OnosApiTableTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "ONOS_API.md");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");
  private static final int CELLS = 4;

  private final LocalEngine engine =
      LocalEngine.start(new StoreStateMachine(CoreComponents.all()), System::currentTimeMillis);
  private final BatchingStoreClient store =
      BatchingStoreClient.open(
          engine.connect(1),
          ClientOptions.of("n1").withTables(CoreTables.all()),
          System::nanoTime,
          () -> 1);
  private final ControllerNode node =
      new ControllerNode(
          new ControllerNode.Parts(
              new NodeConfig(
                  "test", "n1", List.of(new Member("n1", "127.0.0.1", 0)), List.of(), 1_000),
              "test",
              store,
              store.loop(),
              new StoreFeed(store, store.loop()),
              System::nanoTime,
              System::currentTimeMillis,
              (where, failure) -> {
                throw new AssertionError(where, failure);
              }),
          List.of(
              NetworkRoom.serving(
                  NetworkConfig.DEFAULT, List.of(), Map.of(), DeviceAccess.Factory.OWN)));

  /** One row: some methods of an interface. */
  private record Row(String type, List<String> methods, String text) {}

  @AfterEach
  void close() {
    node.close();
    store.close();
    engine.close();
  }

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    for (String line : Files.readAllLines(DOCUMENT)) {
      String[] cells = line.split("\\|", -1);
      if (line.startsWith("| `")) {
        rows.add(new Row(names(cells[1]).get(0), names(cells[2]), cells[CELLS - 1]));
      }
    }
    assertThat(rows).isNotEmpty();
    return rows;
  }

  private static List<String> names(String cell) {
    List<String> names = new ArrayList<>();
    Matcher matcher = NAME.matcher(cell);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  /** The interfaces of onos-api that the node offers, by their simple names. */
  private Map<String, Class<?>> offered() throws ClassNotFoundException {
    Map<String, Class<?>> types = new LinkedHashMap<>();
    for (String name : node.services().names()) {
      if (name.startsWith("org.onosproject.")) {
        Class<?> type = Class.forName(name);
        types.put(type.getSimpleName(), type);
      }
    }
    return types;
  }

  private static List<Method> methods(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .toList();
  }

  @Test
  void documentNamesExactlyTheInterfacesThatAreOffered() throws Exception {
    String text = Files.readString(DOCUMENT);
    String list = text.substring(text.indexOf("A node offers"), text.indexOf("For any other"));
    assertThat(new TreeSet<>(names(list.replace("`ServiceRegistry`", ""))))
        .isEqualTo(new TreeSet<>(offered().keySet()));
  }

  @Test
  void everyRowNamesMethodsThatExist() throws Exception {
    for (Row row : rows()) {
      Class<?> type = Objects.requireNonNull(offered().get(row.type()), row.type());
      for (String name : row.methods()) {
        assertThat(methods(type)).as("%s", row).anyMatch(method -> method.getName().equals(name));
      }
    }
  }

  @Test
  void methodThatIsLeftToTheDefaultIsInTheTable() throws Exception {
    List<Row> rows = rows();
    int defaults = 0;
    for (Map.Entry<String, Class<?>> type : offered().entrySet()) {
      Class<?> service = node.services().get(type.getValue()).getClass();
      for (Method method : methods(type.getValue())) {
        Method here = service.getMethod(method.getName(), method.getParameterTypes());
        if (here.getDeclaringClass().getName().startsWith("org.onosproject.")) {
          defaults++;
          assertThat(rows)
              .as("%s is onos-api's default", method)
              .anyMatch(
                  row ->
                      row.type().equals(type.getKey()) && row.methods().contains(method.getName()));
        }
      }
    }
    assertThat(defaults).isPositive();
  }

  @Test
  void methodThatIsRefusedThrowsAndSaysWhatToDo() throws Exception {
    int refused = 0;
    for (Row row : rows()) {
      if (!row.text().contains("UnsupportedOperationException")) {
        continue;
      }
      Class<?> type = Objects.requireNonNull(offered().get(row.type()), row.type());
      for (Method method : methods(type)) {
        if (row.methods().contains(method.getName())) {
          refused++;
          assertThat(thrownBy(method, node.services().get(type)))
              .as("%s", method)
              .isInstanceOf(UnsupportedOperationException.class)
              .hasMessageContaining("instead");
        }
      }
    }
    assertThat(refused).isPositive();
  }

  private static Throwable thrownBy(Method method, Object service) throws IllegalAccessException {
    try {
      method.invoke(service, new Object[method.getParameterCount()]);
    } catch (InvocationTargetException e) {
      return e.getTargetException();
    }
    throw new AssertionError(method + " does not throw");
  }
}
