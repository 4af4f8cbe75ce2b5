#!/bin/sh
# A kiosk app that tells Touchgrid what it shows: a shell script with the command touchgrid. If
# Touchgrid is missing, the script goes on, and the command prints the reason on standard error.

pause=
touchgrid begin-session build=1.4 >/dev/null
# Your app goes here. In this example, each line that you type is the name of the next screen.
while read -r screen; do
	[ -z "$pause" ] || kill "$pause" 2>/dev/null
	pause=
	case $screen in
	checkout/pin)
		# Before the keypad appears, each time: the daemon may have been restarted since.
		touchgrid mask add "$screen" --rectangle 0,300,480,500
		;;
	service)
		# Do not record the staff. The pause lasts as long as this command runs.
		touchgrid pause --for 15m >/dev/null &
		pause=$!
		;;
	esac
	# The app must not hang if the daemon does.
	timeout 1 touchgrid set-screen "$screen"
done
[ -z "$pause" ] || kill "$pause" 2>/dev/null
touchgrid tag-session outcome=paid >/dev/null
touchgrid end-session >/dev/null
