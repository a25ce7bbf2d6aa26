package io.lockstep.deploy.config;

import io.lockstep.keys.KeyFiles;
import io.lockstep.keys.KeysException;
import io.lockstep.keys.LinkKeys;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.typed.Declared;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.StoreAddress;
import io.lockstep.yaml.Place;
import io.lockstep.yaml.Problem;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    NodeSettings settings = SettingsReader.read(file, SettingsReader.Role.CLIENT);
    return Store.open(
        settings.storeAddress(),
        clientNumber,
        ClientOptions.of("client " + clientNumber).withTables(Store.specs(tables)),
        keys(file, settings.security().keys()));
  }

  private static @Nullable LinkKeys keys(Path file, @Nullable KeyFiles files)
      throws ConfigException {
    try {
      return files == null ? null : LinkKeys.open(files, InstantSource.system());
    } catch (KeysException e) {
      throw new ConfigException(
          file.toString(), List.of(new Problem(Place.TOP, "keys", e.getMessage(), e.remedy())));
    }
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
