#!/bin/sh
# Makes the whole file tree of the container's image: the executable, the libraries that it loads, a user, a data folder.
# Usage: ops/image-tree.sh <executable> <folder>
set -eu
executable=$1
tree=$2
user=10001

mkdir -p "$tree/usr/local/bin" "$tree/etc" "$tree/data" "$tree/tmp" "$tree/proc" "$tree/dev"
cp "$executable" "$tree/usr/local/bin/overround"
chmod 755 "$tree/usr/local/bin/overround"

# Copy every library that the dynamic linker lists, and the linker, to the paths where the linker searches.
ldd "$executable" | grep -o '/[^ ]*' | while read -r library; do
  mkdir -p "$tree$(dirname "$library")"
  cp -L "$library" "$tree$library"
done

echo "overround:x:$user:$user::/data:/sbin/nologin" > "$tree/etc/passwd"
echo "overround:x:$user:" > "$tree/etc/group"
echo 'hosts: files dns' > "$tree/etc/nsswitch.conf"
chmod 1777 "$tree/tmp"
chmod 700 "$tree/data"
if [ "$(id -u)" = 0 ]; then chown "$user:$user" "$tree/data"; fi
