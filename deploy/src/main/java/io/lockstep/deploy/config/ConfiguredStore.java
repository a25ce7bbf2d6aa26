package io.lockstep.deploy.config;

import io.lockstep.store.typed.Declared;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.StoreAddress;
import java.nio.file.Path;

/**
 * The store of a cluster for a program that has the configuration file of one of its nodes or
 * replicas, and is itself neither.
 *
 * <pre>{@code
 * try (Store store = ConfiguredStore.open(Path.of("n1.yaml"), 42, ports)) {
 *   store.table(ports).put("uplink", 7L).join().throwWhenUnknown().orThrow();
 * }
 * }</pre>
 */
public final class ConfiguredStore {
  private ConfiguredStore() {}

  /**
   * Opens the store; as {@link Store#open(String, int, Declared...)}.
   *
   * @param file of any node or replica of the cluster
   * @throws ConfigException where the file cannot be read or anything is wrong in it
   */
  public static Store open(Path file, int clientNumber, Declared... tables) throws ConfigException {
    return Store.open(address(file), clientNumber, tables);
  }

  /**
   * Where the store is.
   *
   * @throws ConfigException as {@link #open}
   */
  public static StoreAddress address(Path file) throws ConfigException {
    return SettingsReader.read(file, SettingsReader.Role.CLIENT).storeAddress();
  }
}
