#include <gtk-layer-shell/gtk-layer-shell.h>
#include <gtk/gtk.h>
