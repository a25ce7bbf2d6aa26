package io.lockstep.core.app;

import io.lockstep.store.MicroComponent;
import io.lockstep.store.TableSpec;
import java.util.List;
import java.util.Map;

/**
 * The one place where an application is declared. A node finds providers with {@link
 * java.util.ServiceLoader}, so a jar names its provider in {@code
 * META-INF/services/io.lockstep.core.app.ApplicationProvider}. A provider has a public constructor
 * without arguments. It is called before the node starts, on one thread, and must not keep anything
 * running.
 */
public interface ApplicationProvider {

  /** What {@link #name} must match. */
  String NAME = "[a-z][a-z0-9-]{0,47}";

  /** For what decides on some packets and passes on the others. */
  int USUAL_PRIORITY = 1_000;

  /** For what claims every packet, so that nothing behind it sees any. */
  int LAST_PRIORITY = Integer.MAX_VALUE;

  /**
   * The application's name, unique in a node: of its section in the node's file, and of the owner
   * of its flow entries. Matches {@link #NAME}. The application that {@link #create} makes has the
   * same.
   */
  String name();

  /**
   * When it is asked about a packet: the lowest number first. Packet processors of onos-api stand
   * in the same order ({@link RankedApplication#ORDER}).
   */
  int priority();

  /** The keys of the application's section in the node's file. */
  default List<ConfigurationKey> configuration() {
    return List.of();
  }

  /** The tables that the application uses; every node declares them to the store. */
  default Map<String, TableSpec> tables() {
    return Map.of();
  }

  /** What the application shows on the command line ({@code lockstep app}), each name once. */
  default List<Noun> nouns() {
    return List.of();
  }

  /** What operators show and change of the application, each name once. */
  default List<Resource> resources() {
    return List.of();
  }

  /**
   * What every replica of the store registers. Only applications that are part of the product may
   * have micro components: a replica that lacks one parts from the others.
   */
  default List<MicroComponent> microComponents() {
    return List.of();
  }

  /**
   * Makes the application.
   *
   * @throws IllegalArgumentException where values that are allowed one by one do not fit together;
   *     the operator reads the message
   */
  PacketApplication create(ApplicationConfiguration configuration);
}
